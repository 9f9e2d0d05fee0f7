import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../test/harness/principal.ts"
import { Problem } from "../../../kernel/problem.ts"
import { retryFailedDeliveries } from "./retry.ts"

/** Retries where so many deliveries have failed. */
async function retryOf(failed: number, status = "active") {
  const limits: number[] = []
  let left = failed
  const tx = {
    webhooks: { lock: async () => ({ id: 1, status }) },
    deliveries: {
      async retryFailed(id: number, since: number, at: number, limit: number) {
        assert.deepEqual([id, since, at], [1, 0, 5])
        limits.push(limit)
        const count = Math.min(left, limit)
        left -= count
        return count
      },
    },
  }
  const ctx = {
    caller: principalOf(7).caller,
    clock: { now: () => 5 },
    store: { transaction: (work: (inside: object) => Promise<unknown>) => work(tx) },
    refuse: (code: string) => assert.fail(code),
    accept(outcome: unknown) {
      if (outcome instanceof Problem) throw outcome
      return outcome
    },
  }
  const input = { params: { webhookId: 1 }, query: { since: "1970-01-01T00:00:00Z" } }
  const [context, given] = [ctx, input] as unknown as Parameters<typeof retryFailedDeliveries>
  return { ...(await retryFailedDeliveries(context, given)), batches: limits.length }
}

test("failed deliveries are retried in batches, ten thousand in one request", async () => {
  assert.deepEqual(await retryOf(0), { retried: 0, more: false, batches: 1 })
  assert.deepEqual(await retryOf(499), { retried: 499, more: false, batches: 1 })
  assert.deepEqual(await retryOf(500), { retried: 500, more: false, batches: 2 })
  assert.deepEqual(await retryOf(9_999), { retried: 9_999, more: false, batches: 20 })
  assert.deepEqual(await retryOf(10_000), { retried: 10_000, more: true, batches: 20 })
  assert.deepEqual(await retryOf(10_001), { retried: 10_000, more: true, batches: 20 })
  for (const status of ["disabled", "testing"]) await assert.rejects(retryOf(1, status), { code: "webhook-disabled" })
})
