import assert from "node:assert/strict"
import { test } from "node:test"
import type { Repositories } from "../ports/store.ts"
import { pruneAudit } from "./prune.ts"

const day = 24 * 3_600_000

test("entries are removed up to a midnight, and the removal is logged", async () => {
  const calls: unknown[] = []
  const txWith = (pruned: object | undefined) =>
    ({
      audit: {
        async prune(before: number, limit: number) {
          calls.push([before, limit])
          return pruned
        },
        append: async (entries: object[], at: number) => void calls.push(...entries, at),
      },
    }) as unknown as Repositories
  assert.equal(await pruneAudit(txWith(undefined), 12 * day + 5, 2 * day, 50), 0)
  assert.equal(await pruneAudit(txWith(undefined), 12 * day - 1, 2 * day, 50), 0)
  assert.deepEqual(calls.splice(0), [
    [10 * day, 50],
    [9 * day, 50],
  ])
  assert.equal(await pruneAudit(txWith({ through: 8, hash: "h", count: 3 }), 12 * day, 2 * day, 50), 3)
  const details = { through: 8, hash: "h" }
  assert.deepEqual(calls, [[10 * day, 50], { principal: "service", action: "audit.pruned", details }, 12 * day])
})
