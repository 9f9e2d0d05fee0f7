import assert from "node:assert/strict"
import { test } from "node:test"
import { openVisit, type VisitGiven, waysOf } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { petsPage } from "./pets.ts"

const pet = (id: number, name: string) => ({ id, name, status: "available", photoUrls: [], tags: [] })

/** The list of pets for someone with these scopes, where pet 2 is gone when it is read again. */
async function shown(given: VisitGiven = {}) {
  const calls = {
    listPets: { value: [pet(1, "Old name"), pet(2, "Gone")], next: "c2" },
    getPetById: ({ params: { petId } }: { params: { petId: number } }) =>
      petId === 2 ? new Problem("pet-not-found", "No") : { value: pet(petId, "New name"), etag: '"v1"' },
    getInventory: { value: { available: 1, pending: 20, sold: 300 } },
    ...given.calls,
  }
  const { visit, called } = openVisit({ path: "/pets", ...given, calls })
  const { text } = await petsPage.show(visit)
  return {
    called,
    text,
    names: [...text.matchAll(/href="\/console\/pets\/\d+">([^<]*)</g)].map(([, name]) => name),
    count: /<p class="soft">([\d,]+ pets?)<\/p>/.exec(text)?.[1],
    ways: waysOf(text).filter((way) => /^\/console\/pets\/(new|import|export)/.test(String(way))),
    canChange: text.includes("Set the status"),
  }
}

test("someone who may change pets sees their current version, without those that are gone; others see the list", async () => {
  const reader = await shown()
  assert.deepEqual([reader.names, reader.canChange], [["Old name", "Gone"], false])
  assert.deepEqual(reader.called, [["listPets", { query: { limit: 25 } }]])
  const editor = await shown({ scopes: ["write:pets"] })
  assert.deepEqual([editor.names, editor.canChange], [["New name"], true])
  assert.match(editor.text, /&quot;v1&quot;/)
  for (const { text } of [reader, editor]) assert.match(text, /rel="next">Next page</)
  const unavailable = { getPetById: new Problem("unavailable", "No") }
  await assert.rejects(shown({ scopes: ["write:pets"], calls: unavailable }), { code: "unavailable" })
})

test("the pets are counted, all or those with the status, unless the list has other filters", async () => {
  const count = async (query: string, scopes = ["read:orders"]) => (await shown({ query, scopes })).count
  assert.equal(await count(""), "321 pets")
  assert.equal(await count("status=&name="), "321 pets")
  assert.equal(await count("status=pending"), "20 pets")
  assert.equal(await count("status=available&sort=name"), "1 pet")
  assert.equal(await count("status=none"), "0 pets")
  for (const other of ["name=a", "category=a", "tag=a"]) assert.equal(await count(other), undefined, other)
  assert.equal(await count("", ["read:pets"]), undefined)
})

test("pets are added and imported by those who may change them, and exported with the filters of the list", async () => {
  assert.deepEqual((await shown()).ways, ["/console/pets/export"])
  const all = ["/console/pets/new", "/console/pets/import", "/console/pets/export"]
  assert.deepEqual((await shown({ scopes: ["write:pets"] })).ways, all)
  assert.deepEqual((await shown({ query: "status=sold" })).ways, ["/console/pets/export?status=sold"])
  const filtered = await shown({ query: "status=sold&name=&tag=a+b&sort=id&cursor=c" })
  assert.deepEqual(filtered.ways, ["/console/pets/export?status=sold&amp;tag=a+b"])
})
