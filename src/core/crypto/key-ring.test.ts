import assert from "node:assert/strict"
import { test } from "node:test"
import type { Sealing } from "../domain/ports/sealing.ts"
import { SealBroken } from "../domain/ports/sealing.ts"
import { aesSealing } from "./aes-gcm.ts"
import { keyRing, opens } from "./key-ring.ts"

const [first, second, third] = [1, 2, 3].map((byte) => aesSealing(Buffer.alloc(32, byte))) as [
  Sealing,
  Sealing,
  Sealing,
]

test("a ring seals under its newest key and opens under each", () => {
  const ring = keyRing(second, first)
  assert.equal(ring.newest(), second)
  assert.equal(second.open(ring.seal("a", "p"), "p"), "a")
  for (const sealing of [first, second]) assert.equal(ring.open(sealing.seal("é", "p"), "p"), "é")
  assert.throws(() => ring.open(third.seal("a", "p"), "p"), SealBroken)
})

test("a key is added until that is undone", () => {
  const ring = keyRing(first)
  const undo = ring.add(second)
  assert.equal(ring.newest(), second)
  assert.equal(ring.open(first.seal("a", "p"), "p"), "a")
  undo()
  assert.equal(ring.newest(), first)
  assert.throws(() => ring.open(second.seal("a", "p"), "p"), SealBroken)
})

test("a key opens samples if it opens all of them", () => {
  const sampleOf = (sealing: typeof first) => ({ sealed: sealing.seal("a", "p"), purpose: "p" })
  assert.deepEqual(
    [[], [sampleOf(first)], [sampleOf(first), sampleOf(second)], [{ ...sampleOf(first), purpose: "q" }]].map(
      (samples) => opens(first, samples),
    ),
    [true, true, false, false],
  )
})
