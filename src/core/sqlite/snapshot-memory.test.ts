import assert from "node:assert/strict"
import { test } from "node:test"
import { SnapshotMemory } from "./snapshot-memory.ts"

const memoryBytesMax = 8 * 1024 * 1024

/** Offers a row often enough to be cached. */
function offerTwice(memory: SnapshotMemory, key: number, json: string): void {
  for (let n = 0; n < 2; n++) memory.offer("read", key, { json })
}

test("a row is cached from its second read on, for its statement and values only", () => {
  const memory = new SnapshotMemory()
  const row = { json: "a" }
  memory.offer("read", 1, row)
  assert.equal(memory.find("read", 1), undefined)
  memory.offer("read", 1, row)
  assert.equal(memory.find("read", 1), row)
  assert.deepEqual([memory.find("read", 2), memory.find("list", 1)], [undefined, undefined])
})

test("reads of some other rows in between do not matter, those of very many do", () => {
  /** What is cached of a row that is read twice, with reads of so many other rows in between. */
  const findAfter = (others: number) => {
    const memory = new SnapshotMemory()
    memory.offer("read", 1, { json: "a" })
    for (let key = 0; key < others; key++) memory.offer("read", 1000 + key, { json: "other" })
    memory.offer("read", 1, { json: "a" })
    return memory.find("read", 1)
  }
  assert.deepEqual([findAfter(999), findAfter(1000)], [{ json: "a" }, undefined])
})

test("the cache never exceeds its bytes (slow)", () => {
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

test("a cleared cache is empty, and the next read counts as the first", () => {
  const memory = new SnapshotMemory()
  offerTwice(memory, 1, "a")
  memory.clear()
  assert.equal(memory.find("read", 1), undefined)
  memory.offer("read", 1, { json: "b" })
  assert.equal(memory.find("read", 1), undefined)
})

test("a cached row cannot be changed, and is replaced by a later one", () => {
  const memory = new SnapshotMemory()
  offerTwice(memory, 1, "a")
  offerTwice(memory, 2, "b")
  assert.ok(Object.isFrozen(memory.find("read", 1)) && Object.isFrozen(memory.find("read", 2)))
  memory.offer("read", 1, { json: "c" })
  assert.deepEqual(memory.find("read", 1), { json: "c" })
})
