import assert from "node:assert/strict"
import { test } from "node:test"
import { type Repositories, type Store, StoreUnavailable } from "../ports/store.ts"
import { publishAll, publishIfPossible } from "./publish.ts"

/** A store whose publications have these numbers of events, then none; records what is asked of it. */
function publishing(...counts: (number | Error)[]) {
  const calls: number[][] = []
  const tx = {
    events: {
      async publish(at: number, limit: number) {
        calls.push([at, limit])
        const next = counts.shift() ?? 0
        if (next instanceof Error) throw next
        return next
      },
    },
  } as unknown as Repositories
  const store = { transaction: (work: (tx: Repositories) => Promise<unknown>) => work(tx) } as unknown as Store
  return { tx, store, calls }
}

test("events are published in batches until none is left, also after a batch of one", async () => {
  const { tx, calls } = publishing(500, 1)
  await publishAll(tx, 7)
  assert.deepEqual(calls, [
    [7, 500],
    [7, 500],
    [7, 500],
  ])
})

test("what cannot be published because the store is unavailable is left for later, and any other error is thrown", async () => {
  const clock = { now: () => 7 }
  const full = publishing(1, new StoreUnavailable("the disk is full"))
  await publishIfPossible({ store: full.store, clock })
  assert.equal(full.calls.length, 2)
  await assert.rejects(publishIfPossible({ store: publishing(new Error("broken")).store, clock }), /^Error: broken$/)
})
