import assert from "node:assert/strict"
import { test } from "node:test"
import { room } from "../../src/workers/delivery/fairness/room.ts"
import { deliveryWorld, type ReceiverResponse } from "../harness/delivery-world.ts"
import { effort } from "../harness/effort.ts"

const eventsASecond = 10
const startMsMax = 1000

/**
 * What the many do, each in its own way, in milliseconds until the attempt is over and whether it was taken; and for how
 * long, in seconds: for longer than their attempts take.
 */
const ways: Record<string, { seconds: number; answer: (n: number) => ReceiverResponse }> = {
  "answer after 14 seconds": { seconds: 16, answer: () => ({ afterMs: 14_000, error: undefined }) },
  "answer after anything up to 14 seconds": {
    seconds: 16,
    answer: (n) => ({ afterMs: ((n * 7919) % 14_000) + 1, error: undefined }),
  },
  "never answer": { seconds: 16, answer: () => ({ afterMs: 15_000, error: "timeout" }) },
  "are dead": { seconds: 2, answer: () => ({ afterMs: 5, error: "connect" }) },
  "drip, stall or die": {
    seconds: 16,
    answer: (n) => {
      if (n % 3 === 2) return { afterMs: 5, error: "reset" }
      return { afterMs: 15_000, error: n % 3 === 0 ? undefined : "timeout" }
    },
  },
}

/** How many receivers, of how many accounts. */
const many = [
  [198, 2],
  [198, 198],
  [99, 1],
  [99, 99],
] as const

for (const [count, accounts] of many.slice(-effort(4, 1)))
  for (const [name, { seconds, answer }] of Object.entries(ways).slice(-effort(5, 1)))
    test(`a quick receiver is not kept waiting while ${count} of ${accounts} accounts ${name}`, async () => {
      await using world = await deliveryWorld()
      let n = 0
      for (let webhook = 0; webhook < count; webhook++)
        await world.webhook(world.account(webhook % accounts), () => answer(n++))
      const quick = [
        await world.webhook(world.account(0), () => ({ afterMs: 10, error: undefined })),
        await world.webhook(world.account(accounts), () => ({ afterMs: 10, error: undefined })),
      ]
      await world.run(seconds, eventsASecond)
      for (const webhookId of quick) {
        const waits = world.waitsOf(webhookId)
        assert.equal(waits.length, seconds * eventsASecond, "everything was sent")
        assert.ok(Math.max(...waits) <= startMsMax, `the longest wait was ${Math.max(...waits)} ms`)
      }
      assert.ok(world.attemptsPeak() <= room.total.quick, `${world.attemptsPeak()} attempts were under way at once`)
    })
