import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../ports/store.ts"
import { expireOrders } from "./expire.ts"

test("stale orders are looked for in batches until one is not full; those that moved on meanwhile do not count", async () => {
  for (const [batches, expected] of [
    [[0], 0],
    [[99], 0],
    [[100, 0], 0],
    [[100, 100, 3], 0],
  ] as const) {
    const sizes: number[] = [...batches]
    const locked: number[] = []
    const store = {
      orders: {
        async waiting(before: number, limit: number) {
          assert.deepEqual([before, limit], [9, 100])
          return Array.from({ length: sizes.shift() ?? assert.fail("looked again") }, (_, id) => ({ id }))
        },
      },
      transaction: (work: (tx: object) => Promise<unknown>) =>
        work({ orders: { lockWaiting: async (id: number) => void locked.push(id) } }),
    }
    assert.equal(await expireOrders({ store: store as unknown as Store, clock: { now: () => 10 } }, 9), expected)
    assert.equal(
      locked.length,
      batches.reduce<number>((sum, size) => sum + size, 0),
    )
    assert.deepEqual(sizes, [])
  }
})
