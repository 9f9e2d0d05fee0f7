import assert from "node:assert/strict"
import { test } from "node:test"
import { memoryBytesMax, SnapshotMemory } from "./snapshot-memory.ts"

/** Asks often enough for the row to be remembered. */
function offerTwice(memory: SnapshotMemory, key: number, json: string): void {
  for (let n = 0; n < 2; n++) memory.offer("read", key, { json })
}

test("a row is remembered from the second time on, for its statement and its values only", () => {
  const memory = new SnapshotMemory()
  const row = { json: "a" }
  memory.offer("read", 1, row)
  assert.equal(memory.find("read", 1), undefined)
  memory.offer("read", 1, row)
  assert.equal(memory.find("read", 1), row)
  assert.deepEqual([memory.find("read", 2), memory.find("list", 1)], [undefined, undefined])
})

test("what is remembered fits into its bytes, whatever is asked", () => {
  const memory = new SnapshotMemory()
  const json = "x".repeat(memoryBytesMax / 64)
  const remembered = () => Array.from({ length: 1000 }, (_, key) => key).filter((key) => memory.find("read", key))
  for (let key = 0; key < 1000; key++) {
    offerTwice(memory, key, json)
    assert.ok(remembered().length * json.length * 2 <= memoryBytesMax, `${remembered().length} rows`)
  }
  assert.ok(remembered().includes(999))
  offerTwice(memory, 1000, "x".repeat(memoryBytesMax))
  assert.equal(memory.find("read", 1000), undefined)
})

test("an emptied memory knows nothing, not even what was asked", () => {
  const memory = new SnapshotMemory()
  offerTwice(memory, 1, "a")
  memory.clear()
  assert.equal(memory.find("read", 1), undefined)
  memory.offer("read", 1, { json: "b" })
  assert.equal(memory.find("read", 1), undefined)
})
