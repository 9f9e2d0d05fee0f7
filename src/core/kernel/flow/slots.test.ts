import assert from "node:assert/strict"
import { test } from "node:test"
import { slots } from "./slots.ts"

const release = (slot: (() => void) | string) =>
  typeof slot === "string" ? assert.fail(`it is full: ${slot}`) : slot()

test("slots are limited per key and in total", () => {
  const bounded = slots<string>({ perKey: 2, total: 3 })
  const first = bounded.take("a")
  bounded.take("a")
  assert.deepEqual([bounded.take("a"), bounded.fullFor("a"), bounded.fullFor("b")], ["one", "one", undefined])
  bounded.take("b")
  assert.deepEqual([bounded.take("b"), bounded.take("c"), bounded.taken()], ["all", "all", 3])
  release(first)
  assert.deepEqual([bounded.taken(), bounded.fullFor("a"), bounded.fullFor("c")], [2, undefined, undefined])
})

test("releasing a slot twice frees it once", () => {
  const bounded = slots<number>({ perKey: 1, total: 2 })
  const slot = bounded.take(1)
  bounded.take(2)
  release(slot)
  release(slot)
  assert.equal(bounded.taken(), 1)
})

test("a key whose slots are all released has all of them again", () => {
  const bounded = slots<string>({ perKey: 1, total: 1 })
  for (let n = 0; n < 3; n++) release(bounded.take("a"))
  assert.deepEqual([bounded.fullFor("a"), bounded.taken()], [undefined, 0])
})
