import assert from "node:assert/strict"
import { test } from "node:test"
import { chooseEvicted, type Usage } from "./eviction.ts"

type Occupant = Usage & { name: string; size: number; isIdle: boolean }

const occupant = (name: string, given: Partial<Occupant> = {}): Occupant => ({
  name,
  owner: name[0] ?? "",
  requests: 0,
  usedAt: 0,
  size: 1,
  isIdle: true,
  ...given,
})
const evictedOf = (occupants: readonly Occupant[], { owner = "new", adds = 1 } = {}) =>
  chooseEvicted(occupants, { owner, adds, sizeOf: ({ size }) => size, isIdle: ({ isIdle }) => isIdle })?.name

const busy = { isIdle: false }

test("of the owner with the largest share, the one that was not used for longest is evicted", () => {
  assert.equal(evictedOf([]), undefined)
  assert.equal(
    evictedOf([occupant("a1", { usedAt: 1 }), occupant("b1", { usedAt: 3 }), occupant("b2", { usedAt: 2 })]),
    "b2",
  )
  assert.equal(
    evictedOf([occupant("a1", { size: 3 }), occupant("b1"), occupant("b2")]),
    "a1",
    "a share is a sum of sizes",
  )
  assert.equal(evictedOf([occupant("a1", { usedAt: 2 }), occupant("b1", { usedAt: 1 })]), "b1", "of equal shares")
})

test("one without requests is evicted before one with requests, however recently it was used", () => {
  const running = (name: string, usedAt: number) => occupant(name, { requests: 1, usedAt })
  assert.equal(evictedOf([running("a1", 1), occupant("a2", { usedAt: 9 })]), "a2")
  assert.equal(evictedOf([occupant("a2", { usedAt: 9 }), running("a1", 1)]), "a2")
  assert.equal(evictedOf([running("a1", 2), running("a2", 1)]), "a2")
  assert.equal(
    evictedOf([occupant("a1", { requests: 1, usedAt: 2 }), occupant("a2", { requests: 5, usedAt: 1 })]),
    "a2",
  )
})

test("one in use is evicted only for an owner whose share stays smaller", () => {
  const two = [occupant("a1", busy), occupant("a2", busy)]
  assert.equal(evictedOf(two), "a1")
  assert.equal(evictedOf(two, { adds: 2 }), undefined)
  assert.equal(evictedOf([occupant("a1", busy)]), undefined)
  assert.equal(evictedOf(two, { owner: "a" }), undefined)
  assert.equal(evictedOf([...two, occupant("b1", busy)], { owner: "b" }), undefined)
  assert.equal(evictedOf([...two, occupant("a3", busy), occupant("b1", busy)], { owner: "b" }), "a1")
  assert.equal(evictedOf([...two, occupant("b1")], { owner: "b" }), "b1", "an idle one for any owner")
})
