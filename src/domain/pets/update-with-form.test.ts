import assert from "node:assert/strict"
import { test } from "node:test"
import { runVerb } from "../../../test/harness/verb.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Pet, PetForm } from "./contract.ts"
import { updatePetWithForm } from "./update-with-form.ts"

const pet: Pet = { id: 1, name: "Rex", photoUrls: [], tags: [], status: "available" }

/** Name and status after an update, and what was written; or the code of the refusal. */
async function update(query: PetForm, body: PetForm | undefined, order?: object) {
  const written: string[] = []
  const tx = {
    pets: {
      lock: async () => ({ pet, etag: '"a"', times: { createdAt: 0, updatedAt: 0 } }),
      async put(put: Pet) {
        written.push(`${put.name} ${put.status}`)
        return { json: JSON.stringify(put), etag: '"b"' }
      },
      categoryIds: async () => new Map(),
      tagIds: async () => new Map(),
      read: async () => ({ json: JSON.stringify(pet), etag: '"a"' }),
    },
    orders: { openFor: async () => order },
    events: { add: async (kind: string) => void written.push(kind) },
  }
  const store = { transaction: (work: (inside: object) => Promise<unknown>) => work(tx) }
  const outcome = await runVerb(
    updatePetWithForm,
    { store, clock: { now: () => 5 } },
    { params: { petId: 1 }, query, body },
  )
  return outcome instanceof Problem ? outcome.code : written
}

test("a form changes name and status, from the query or the body, and only those given", async () => {
  for (const [query, body, written] of [
    [{ name: "A" }, undefined, ["A available", "pet.updated"]],
    [{ status: "sold" }, undefined, ["Rex sold", "pet.updated"]],
    [{}, { name: "B", status: "pending" }, ["B pending", "pet.updated"]],
    [{ name: "A" }, { status: "sold" }, ["A sold", "pet.updated"]],
    [{ name: "A" }, { name: "A" }, ["A available", "pet.updated"]],
    [{ name: "A" }, { name: "B" }, "invalid-parameter"],
    [{ status: "sold" }, { status: "pending" }, "invalid-parameter"],
    [{}, {}, []],
    [{}, undefined, []],
  ] as const)
    assert.deepEqual(await update(query, body), written, JSON.stringify([query, body]))
})

test("with an open order the status cannot change, but the name can", async () => {
  assert.equal(await update({ status: "sold" }, undefined, {}), "pet-has-open-order")
  assert.deepEqual(await update({ status: "available", name: "A" }, undefined, {}), ["A available", "pet.updated"])
})
