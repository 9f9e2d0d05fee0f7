import assert from "node:assert/strict"
import { test } from "node:test"
import { Chunks } from "./chunks.ts"

const usual = new Chunks(0).take(1).length

test("chunks have one size, and a larger content has one of its own that is not kept", () => {
  const chunks = new Chunks(4 * usual)
  const [small, whole, large] = [chunks.take(0), chunks.take(usual), chunks.take(usual + 1)]
  assert.deepEqual([small.length, whole.length, large.length], [usual, usual, usual + 1])
  chunks.release(large)
  assert.notEqual(chunks.take(usual), large)
  chunks.release(whole)
  assert.notEqual(chunks.take(usual + 1), whole)
  assert.equal(chunks.take(usual), whole)
})

test("at most as many free chunks are kept as the bound has bytes for", () => {
  const chunks = new Chunks(2 * usual)
  const [one, two, three] = [chunks.take(1), chunks.take(1), chunks.take(1)]
  for (const chunk of [one, two, three]) chunks.release(chunk)
  assert.deepEqual([chunks.take(1) === two, chunks.take(1) === one, chunks.take(1) === three], [true, true, false])
})
