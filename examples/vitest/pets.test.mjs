// Runs with: npx vitest run
import { createPetstore } from "@petstore-service/petstore"
import { allItems, createPetstoreClient } from "@petstore-service/petstore/client"
import { afterAll, beforeAll, expect, test } from "vitest"

let petstore
let client
beforeAll(async () => {
  petstore = await createPetstore({ memory: true })
  client = createPetstoreClient({ url: petstore.url, apiKey: "special-key" })
})
afterAll(() => petstore.close())

test("allItems reads every page", async () => {
  const names = []
  for await (const { name } of allItems(client.listPets, { query: { limit: 3, sort: "id" } })) names.push(name)
  expect(names).toHaveLength(10)
  expect(names[0]).toBe("Cat 1")
})

test("an invalid pet is refused with every violation", async () => {
  const adding = client.addPet({ body: { name: " ", photoUrls: ["javascript:alert(1)"] } })
  await expect(adding).rejects.toMatchObject({
    code: "invalid-body",
    errors: [{ pointer: "/name" }, { pointer: "/photoUrls/0" }],
  })
})
