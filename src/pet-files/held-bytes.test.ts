import assert from "node:assert/strict"
import { test } from "node:test"
import { petBytesMax } from "../core/domain/pets/contract.ts"
import { HeldBytes } from "./held-bytes.ts"

const bytes = (count: number) => new Uint8Array(count).fill(0x78)

test("bytes are held up to the length of the longest pet, and taken once", () => {
  const held = new HeldBytes()
  assert.equal(held.isEmpty, true)
  assert.deepEqual(held.take(), Buffer.alloc(0))
  held.add(bytes(petBytesMax - 1))
  held.add(bytes(1))
  assert.deepEqual([held.isEmpty, held.isTooLong], [false, false])
  assert.equal(held.take()?.length, petBytesMax)
  assert.equal(held.isEmpty, true)
  const part = bytes(3)
  held.add(part)
  assert.equal(held.take(), part)
  held.add(bytes(petBytesMax))
  held.add(bytes(1))
  held.add(bytes(1))
  assert.deepEqual([held.isTooLong, held.take(), held.isTooLong, held.isEmpty], [true, undefined, false, true])
  held.add(undefined)
  assert.deepEqual([held.isEmpty, held.isTooLong], [false, true])
  held.add(bytes(1))
  assert.equal(held.take(), undefined)
  held.add(bytes(2))
  assert.deepEqual(held.take(), bytes(2))
})
