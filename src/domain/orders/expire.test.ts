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

test("the orders that are cancelled count, and each is announced", async () => {
  const changes: unknown[] = []
  const order = { id: 1, petId: 7, quantity: 1, status: "placed", complete: false }
  const tx = {
    orders: {
      lockWaiting: async (id: number) => (id === 1 ? undefined : { order: { ...order, id }, accountId: 4 }),
      remove: async (id: number) => void changes.push(["removed", id]),
    },
    pets: { lock: async () => ({ pet: { id: 7, name: "Rex", photoUrls: [], tags: [], status: "available" } }) },
    events: {
      add: async (kind: string, data: object, at: number, accountId: number) =>
        void changes.push([kind, data, at, accountId]),
    },
  }
  const store = {
    orders: { waiting: async () => [{ id: 1 }, { id: 2 }, { id: 3 }] },
    transaction: (work: (inside: object) => Promise<unknown>) => work(tx),
  }
  assert.equal(await expireOrders({ store: store as unknown as Store, clock: { now: () => 10 } }, 9), 2)
  assert.deepEqual(changes, [
    ["removed", 2],
    ["order.cancelled", { ...order, id: 2, reason: "expired" }, 10, 4],
    ["removed", 3],
    ["order.cancelled", { ...order, id: 3, reason: "expired" }, 10, 4],
  ])
})
