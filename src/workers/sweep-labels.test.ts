import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../domain/ports/store.ts"
import { createLabelSweep } from "./sweep-labels.ts"

test("ten thousand names of each kind are checked in a round, and the next one continues after them", async () => {
  const calls: string[] = []
  const totals: Record<string, number> = { categories: 150, tags: 10_050 }
  const tx = {
    pets: {
      async forgetUnusedLabels(kind: string, after: number, limit: number) {
        calls.push(`${kind} ${after} ${limit}`)
        return after + limit <= (totals[kind] ?? 0) ? after + limit : undefined
      },
    },
  }
  const store = { transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx) } as unknown as Store
  const sweep = createLabelSweep()
  await sweep({ store })
  assert.deepEqual(calls.slice(0, 3), ["categories 0 100", "categories 100 100", "tags 0 100"])
  assert.deepEqual([calls.length, calls.at(-1)], [102, "tags 9900 100"])
  calls.length = 0
  await sweep({ store })
  assert.deepEqual(calls, ["categories 0 100", "categories 100 100", "tags 10000 100"])
  calls.length = 0
  await sweep({ store })
  assert.equal(calls[2], "tags 0 100", "from the first again")
})
