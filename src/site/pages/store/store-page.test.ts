import assert from "node:assert/strict"
import { test } from "node:test"
import { shop } from "../../../../test/harness/shop.ts"
import type { Pet } from "../../../domain/pets/contract.ts"
import { storePage } from "./store-page.ts"
import type { ListView, Shop } from "./views.ts"

const pet = (id: number, more: Partial<Pet> = {}): Pet => ({
  id,
  name: `Pet ${id}`,
  status: "available",
  tags: [],
  photoUrls: [],
  ...more,
})

/** What the list of the store shows. */
function shown(view: Partial<ListView> = {}, knownKeys: Shop["knownKeys"] = []) {
  const { status, body } = storePage(
    { ...shop, knownKeys },
    {
      person: undefined,
      filter: {},
      query: new URLSearchParams(),
      isStart: false,
      pets: [],
      total: undefined,
      next: undefined,
      refusal: undefined,
      recentEvents: [],
      resumeAfter: "",
      ...view,
    },
  )
  const text = String(body)
  return {
    status,
    pets: [...text.matchAll(/data-pet="(\d+)"/g)].map(([, id]) => Number(id)),
    hasGrid: text.includes('<ul class="grid">'),
    nothing: /<p class="nothing">(.*?)(?: <a|<\/p>)/.exec(text)?.[1],
    found: /<p class="found"><span>(.*?)<\/span>/.exec(text)?.[1],
    chips: [...text.matchAll(/href="\.\/\?category=(\w+)"/g)].map(([, name]) => name),
    isSandbox: text.includes("Sandbox: sample data and public keys."),
    hasHint: text.includes("Replace YOUR_KEY"),
    credentials: [...text.matchAll(/<td>(all|[\w:, ]+)<\/td><\/tr>/g)].map(([, scopes]) => scopes),
  }
}

test("a list has its pets, or says why there are none", () => {
  const one = shown({ pets: [pet(7)] })
  assert.deepEqual([one.pets, one.hasGrid, one.nothing], [[7], true, undefined])
  const nothing = (view: Partial<ListView>) => {
    const { status, hasGrid, nothing } = shown(view)
    return [status, hasGrid, nothing]
  }
  assert.deepEqual(nothing({}), [200, false, "No pets match."])
  assert.deepEqual(nothing({ next: "c" }), [200, false, "No pets among these match: the next page continues."])
  assert.deepEqual(nothing({ isStart: true }), [200, false, "There are no pets yet. The command below adds one."])
  assert.deepEqual(nothing({ refusal: "No" }), [400, false, undefined])
})

test("the number of pets is that of all that match, with those that are shown", () => {
  const found = (count: number, isExact: boolean, filter: ListView["filter"] = {}) =>
    shown({ pets: [pet(1), pet(2)], total: { count, isExact }, filter }).found
  assert.equal(found(2, true), "2 pets")
  assert.equal(found(3, true), "2 of 3 pets")
  assert.equal(found(3, false), "2 of more than 3 pets")
  assert.equal(found(2, true, { status: "sold", category: "Dogs", tag: "calm" }), "2 pets, sold, in Dogs, tagged calm")
  assert.equal(found(2, true, { name: "Re" }), "2 pets, named Re…")
  assert.equal(shown().found, "")
})

test("the four most frequent categories and tags of the page are offered, equal ones by name, after the chosen one", () => {
  const dog = (id: number, name: string) => pet(id, { category: { id, name } })
  const pets = ["B", "B", "C", "A", "D", "E"].map((name, n) => dog(n, name))
  const chips = (filter: ListView["filter"]) => shown({ pets, filter }).chips.slice(0, 4)
  assert.deepEqual(chips({}), ["B", "A", "C", "D"])
  assert.deepEqual(chips({ category: "F" }).slice(0, 3), ["B", "A", "C"])
})

test("a sandbox has public keys, with their scopes", () => {
  const key = { secret: "special-key", plan: "pro", scopes: ["read:pets" as const, "write:pets" as const] }
  const { isSandbox, hasHint } = shown()
  assert.deepEqual([isSandbox, hasHint], [false, true])
  const sandbox = shown({}, [key])
  assert.deepEqual([sandbox.isSandbox, sandbox.hasHint], [true, false])
  assert.deepEqual(sandbox.credentials, ["read:pets, write:pets"])
})
