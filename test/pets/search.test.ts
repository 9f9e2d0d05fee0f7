import assert from "node:assert/strict"
import { test } from "node:test"
import { nextCursor } from "../../src/client/pages.ts"
import { refusedAs } from "../harness/petstore.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")
const list = async (query: Parameters<typeof store.listPets>[0] & object extends { query?: infer Q } ? Q : never) =>
  (await store.listPets({ query: query ?? {} })).value.map(({ name }) => name)

before(async () => {
  for (const [name, category, tag, status] of [
    ["Łata", "Cows", "spotted", "available"],
    ["łaciata", "Cows", "loud", "sold"],
    ["ŁAP", "Geese", "loud", "pending"],
  ] as const)
    await store.addPet({ body: { name, photoUrls: [], category: { name: category }, tags: [{ name: tag }], status } })
})

test("pets are listed by status, category, tag and name prefix, in the requested order", async () => {
  assert.deepEqual(await list({ limit: 2 }), ["ŁAP", "łaciata"])
  assert.deepEqual(await list({ status: ["pending", "sold"], limit: 2 }), ["ŁAP", "łaciata"])
  assert.deepEqual(await list({ category: ["Cows"] }), ["łaciata", "Łata"])
  assert.deepEqual(await list({ category: ["Geese", "Cows"], status: ["available", "pending"], sort: "id" }), [
    "Łata",
    "ŁAP",
  ])
  assert.deepEqual(await list({ tag: ["loud", "spotted"], status: ["available", "sold"] }), ["łaciata", "Łata"])
  assert.deepEqual(await list({ name: "ŁA" }), ["łaciata", "ŁAP", "Łata"])
  assert.deepEqual(await list({ name: "ła", sort: "-name", status: ["available", "sold"] }), ["Łata", "łaciata"])
  assert.deepEqual((await list({ sort: "-name", limit: 3 })).toSorted(), ["Łata", "łaciata", "ŁAP"].toSorted())
  assert.deepEqual(await list({ category: ["Unicorns"] }), [])
})

test("Link leads through the whole list in every order", async () => {
  for (const sort of ["id", "-id", "name", "-name"] as const) {
    const whole = await list({ sort })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { value, headers } = await store.listPets({ query: { sort, limit: 3, ...(cursor && { cursor }) } })
      seen.push(...value.map(({ name }) => name))
      cursor = nextCursor(headers)
    } while (cursor)
    assert.ok(whole.length > 12)
    assert.deepEqual(seen, whole)
  }
})

test("a cursor of another order, and a combination that no index supports, are refused", async () => {
  const next = async (query: object) =>
    nextCursor((await store.listPets({ query: { limit: 1, ...query } })).headers) ?? ""
  const cursors = { "-id": await next({}), id: await next({ sort: "id" }), name: await next({ name: "Ł" }) }
  for (const [query, sort] of [
    [{}, "id"],
    [{ sort: "id" as const }, "-id"],
    [{ name: "Ł" }, "-id"],
    [{ sort: "-name" as const }, "name"],
  ] as const)
    await assert.rejects(store.listPets({ query: { ...query, cursor: cursors[sort] } }), refusedAs("invalid-parameter"))
  await assert.rejects(store.findPetsByStatus({ query: { cursor: cursors.id } }), refusedAs("invalid-parameter"))
  await assert.rejects(list({ tag: ["loud"], name: "Ł" }), refusedAs("invalid-parameter"))
})
