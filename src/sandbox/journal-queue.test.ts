import assert from "node:assert/strict"
import { test } from "node:test"
import { emptyExchange } from "../../test/harness/exchange.ts"
import type { Exchanged } from "../domain/sandbox/model.ts"
import { Chunks } from "./chunks.ts"
import { JournalQueue } from "./journal-queue.ts"

const exchanged = (bytes = 0): Exchanged => ({
  ...emptyExchange,
  ...(bytes > 0 && { requestBody: new Uint8Array(bytes) }),
})

test("entries are in the order in which they were added, also after many", () => {
  const queue = new JournalQueue(3, new Chunks(1_000_000))
  const idsAbove = (id: number) => queue.above(id).map((entry) => entry.id)
  assert.deepEqual([queue.size, queue.oldest, queue.bytes, queue.removeOldest(), idsAbove(0)], [0, undefined, 0, 0, []])
  for (let id = 1; id <= 10; id++) {
    const bytes = queue.add(id, id * 10, id * 100, exchanged(id))
    assert.equal(bytes, queue.above(id - 1)[0]?.bytes)
    if (id > 3) {
      const { oldest } = queue
      assert.equal(queue.size, 4)
      assert.equal(queue.removeOldest(), oldest?.bytes)
      assert.equal(oldest?.read(), undefined)
    }
  }
  assert.deepEqual([queue.oldest?.id, queue.oldest?.at, queue.oldest?.position], [8, 80, 800])
  assert.deepEqual([idsAbove(0), idsAbove(8), idsAbove(9), idsAbove(10)], [[10, 9, 8], [10, 9], [10], []])
  assert.equal(
    queue.bytes,
    queue.above(0).reduce((sum, { bytes }) => sum + bytes, 0),
  )
  for (const size of [2, 1, 0]) {
    queue.removeOldest()
    assert.equal(queue.size, size)
  }
  assert.deepEqual([queue.oldest, queue.bytes], [undefined, 0])
})

test("entries share a chunk, which is free when the last of them was removed", () => {
  const chunks = new Chunks(1_000_000)
  const queue = new JournalQueue(10, chunks)
  queue.add(1, 0, 0, exchanged())
  queue.add(2, 0, 0, exchanged())
  const shared = queue.oldest?.chunk
  for (const id of [3, 4, 5, 6, 7]) queue.add(id, 0, 0, exchanged(16_000))
  assert.deepEqual(
    queue.above(0).map(({ chunk }) => chunk === shared),
    [false, true, true, true, true, true, true],
  )
  queue.removeOldest()
  assert.notEqual(chunks.take(1), shared)
  for (const _ of [2, 3, 4, 5, 6]) queue.removeOldest()
  assert.equal(chunks.take(1), shared)
})
