import assert from "node:assert/strict"
import { test } from "node:test"
import { factsOf, openVisit, type VisitGiven, waysOf } from "../../../../../test/harness/visit.ts"
import { Problem } from "../../../../kernel/problem.ts"
import { petPage } from "./pet.ts"

const rex = { id: 7, name: "Rex", status: "available", photoUrls: [], tags: [] }

type Given = VisitGiven & { pet?: object }

/** The page of a pet for someone with these scopes. */
async function shown({ pet = {}, ...given }: Given) {
  const value = { ...rex, ...pet }
  const calls = { getPetById: { value, etag: '"v1"' }, getPetRecord: { value } }
  const { visit, called } = openVisit({ path: "/pets/7", params: { petId: "7" }, calls, ...given })
  const { text } = await petPage.show(visit)
  return {
    called,
    facts: factsOf(text),
    ways: waysOf(text),
    etag: /name="etag" value="([^"]*)"/.exec(text)?.[1],
    isOpen: text.includes('<details class="edit" open>'),
  }
}

const store = "/console/../pets/7"
const [order, photos] = ["/console/orders/new?petId=7", "/console/pets/7/photos"]

test("a pet has the links and the forms that its visitor may use", async () => {
  const ways = async (given: Given) => (await shown(given)).ways.slice(1)
  assert.deepEqual(await ways({}), [store])
  assert.deepEqual(await ways({ service: { hasPublicStore: false } }), [])
  assert.deepEqual(await ways({ scopes: ["write:orders"] }), [order, store])
  assert.deepEqual(await ways({ scopes: ["write:orders"], pet: { status: "sold" } }), [store])
  assert.deepEqual(await ways({ scopes: ["write:pets"] }), [store, photos, "save", "delete"])
})

test("the facts about a pet are its own and those of its record; what it has not is left out", async () => {
  const none = { Id: "7", Added: "before times were recorded", Changed: "not since times are recorded" }
  assert.deepEqual((await shown({})).facts, none)
  const link = (query: string, words: string) => `<a href="/console/pets?${query}">${words}</a>`
  const pet = {
    category: { name: "Big dogs" },
    tags: [{ name: "calm" }, { name: "old" }],
    photoUrls: ["https://a.example/1", "https://a.example/2"],
  }
  assert.deepEqual((await shown({ pet })).facts, {
    Id: "7",
    Category: link("category=Big+dogs", "Big dogs"),
    Tags: `${link("tag=calm", "calm")}, ${link("tag=old", "old")}`,
    "Photo URLs": "<code>https://a.example/1</code> <code>https://a.example/2</code> ",
    Added: none.Added,
    Changed: none.Changed,
  })
})

test("a pet is saved if it is still the version that was shown, which its form keeps after a conflict", async () => {
  const fresh = await shown({ scopes: ["write:pets"] })
  assert.deepEqual([fresh.etag, fresh.isOpen], ["&quot;v1&quot;", false])
  const form = new URLSearchParams({ action: "save", etag: '"v0"', name: "Max", status: "sold" })
  const problem = new Problem("precondition-failed", "The pet has changed")
  const again = await shown({ scopes: ["write:pets"], failure: { problem, form } })
  assert.deepEqual([again.etag, again.isOpen], ["&quot;v0&quot;", true])
  const calls = { patchPet: { value: { ...rex, name: "Max" } }, deletePet: {} }
  const { visit, called } = openVisit({ params: { petId: "7" }, calls })
  assert.deepEqual(await petPage.actions?.save?.(visit, form), { to: "/pets/7", notice: "Max was saved" })
  const [, asked] = called[0] as [string, { params: object; body: { name: string; status: string }; ifMatch: string }]
  assert.deepEqual([asked.params, asked.body.name, asked.body.status], [{ petId: 7 }, "Max", "sold"])
  assert.equal(asked.ifMatch, '"v0"')
  const gone = await petPage.actions?.delete?.(visit, new URLSearchParams())
  assert.deepEqual(gone, { to: "/pets", notice: "The pet was deleted" })
  assert.deepEqual(called[1], ["deletePet", { params: { petId: 7 } }])
})
