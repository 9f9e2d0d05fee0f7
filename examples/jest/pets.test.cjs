// Runs with: NODE_OPTIONS=--experimental-vm-modules npx jest
const { createPetstore } = require("@petstore-service/petstore")
const { createPetstoreClient } = require("@petstore-service/petstore/client")

let petstore
let client
beforeAll(async () => {
  petstore = await createPetstore()
  client = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
})
afterAll(() => petstore.close())

test("an order makes its pet pending", async () => {
  const { value: order } = await client.placeOrder({ body: { petId: 1 } })
  const { value: pet } = await client.getPetById({ params: { petId: order.petId } })
  expect(pet.status).toBe("pending")
})

test("an unknown pet is refused", async () => {
  await expect(client.getPetById({ params: { petId: 4711 } })).rejects.toMatchObject({ code: "pet-not-found" })
})
