import assert from "node:assert/strict"
import { test } from "node:test"
import { capacity } from "../../src/core/workers/delivery/fairness/attempt-limits.ts"
import { deliveryWorld, type ReceiverResponse } from "../harness/delivery-world.ts"
import { effort } from "../harness/effort.ts"

const eventsASecond = 10
const startMsMax = 1000

/**
 * The behaviours of slow receivers: for each attempt its duration in milliseconds and its error, if any; `seconds` is the length of
 * the test, which exceeds that of an attempt.
 */
const behaviours: Record<string, { seconds: number; respond: (n: number) => ReceiverResponse }> = {
  "respond after 14 seconds": { seconds: 16, respond: () => ({ afterMs: 14_000, error: undefined }) },
  "respond after up to 14 seconds": {
    seconds: 16,
    respond: (n) => ({ afterMs: ((n * 7919) % 14_000) + 1, error: undefined }),
  },
  "never respond": { seconds: 16, respond: () => ({ afterMs: 15_000, error: "timeout" }) },
  "are dead": { seconds: 2, respond: () => ({ afterMs: 5, error: "connect" }) },
  "drip, stall or die": {
    seconds: 16,
    respond: (n) => {
      if (n % 3 === 2) return { afterMs: 5, error: "reset" }
      return { afterMs: 15_000, error: n % 3 === 0 ? undefined : "timeout" }
    },
  },
}

/** Number of receivers, and of their accounts. */
const groups = [
  [198, 2],
  [99, 99],
] as const

for (const [count, accounts] of groups.slice(-effort(2, 1)))
  for (const [name, { seconds, respond }] of Object.entries(behaviours).slice(-effort(5, 1)))
    test(`a quick receiver is not delayed while ${count} receivers of ${accounts} accounts ${name}`, async () => {
      await using world = await deliveryWorld()
      let n = 0
      for (let webhook = 0; webhook < count; webhook++)
        await world.webhook(world.account(webhook % accounts), () => respond(n++))
      const quick = [
        await world.webhook(world.account(0), () => ({ afterMs: 10, error: undefined })),
        await world.webhook(world.account(accounts), () => ({ afterMs: 10, error: undefined })),
      ]
      await world.run(seconds, eventsASecond)
      for (const webhookId of quick) {
        const waits = world.waitsOf(webhookId)
        assert.equal(waits.length, seconds * eventsASecond, "not every event was sent")
        assert.ok(Math.max(...waits) <= startMsMax, `the longest wait was ${Math.max(...waits)} ms`)
      }
      assert.ok(world.attemptsPeak() <= capacity.total.quick, `${world.attemptsPeak()} concurrent attempts`)
    })
