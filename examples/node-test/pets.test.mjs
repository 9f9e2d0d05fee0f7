// Runs with: node --test
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { createPetstore } from "@petstore-service/petstore"
import { createPetstoreClient, isRefused } from "@petstore-service/petstore/client"

let petstore
let client
before(async () => {
  petstore = await createPetstore()
  client = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
})
after(() => petstore.close())

test("a new pet can be read", async () => {
  const { value: rex } = await client.addPet({ body: { name: "Rex", photoUrls: [] } })
  const { value: found } = await client.getPetById({ params: { petId: rex.id } })
  assert.equal(found.name, "Rex")
})

test("an unknown pet is refused", async () => {
  await assert.rejects(
    client.getPetById({ params: { petId: 4711 } }),
    (error) => isRefused(error, "getPetById") && error.code === "pet-not-found",
  )
})
