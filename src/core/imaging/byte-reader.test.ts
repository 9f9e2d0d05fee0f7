import assert from "node:assert/strict"
import { test } from "node:test"
import { ByteReader, Damaged } from "./byte-reader.ts"

test("bytes are read up to the last one, and a read beyond it fails and moves nothing", () => {
  const reader = new ByteReader(Buffer.from([1, 2, 3, 4]))
  assert.deepEqual([...reader.take(2)], [1, 2])
  assert.throws(() => reader.take(3), Damaged)
  assert.throws(() => reader.take(-1), Damaged)
  assert.equal(reader.take(0).length, 0)
  assert.equal(reader.at, 2)
  assert.deepEqual([reader.byte(), ...reader.take(1)], [3, 4])
  assert.throws(() => reader.byte(), Damaged)
  assert.equal(reader.take(0).length, 0)
})
