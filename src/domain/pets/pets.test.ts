import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { refusedAs, startPetstore } from "../../../test/harness/petstore.ts"

let petstore: Awaited<ReturnType<typeof startPetstore>>
let store: ReturnType<typeof petstore.as>

before(async () => {
  petstore = await startPetstore()
  store = petstore.as("special-key")
})
after(() => petstore[Symbol.asyncDispose]())

test("a created pet reads back equal, with every id filled in", async () => {
  const body = {
    name: "Ünïcødé 🐕‍🦺",
    photoUrls: ["string"],
    category: { name: "Dogs" },
    tags: [{ name: "a" }, { name: "b" }],
  }
  const { value: created } = await store.createPet({ body })
  const { value: read } = await store.getPetById({ params: { petId: created.id } })
  assert.deepEqual(read, created)
  assert.deepEqual([created.name, created.status, created.category?.name], [body.name, "available", "Dogs"])
})

test("a pet with a taken id is refused and nothing is overwritten", async () => {
  const body = { id: 1, name: "intruder", photoUrls: [] }
  await assert.rejects(store.createPet({ body }), refusedAs("pet-exists"))
  const { value } = await store.getPetById({ params: { petId: 1 } })
  assert.equal(value.name, "Cat 1")
})
