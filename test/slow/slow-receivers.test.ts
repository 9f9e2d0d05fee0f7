import assert from "node:assert/strict"
import { test } from "node:test"
import { deliveryWorld } from "../harness/delivery-world.ts"

/** Longer than any attempt takes. */
const seconds = 16
const eventsASecond = 50
const startMsMax = 1000

/** What the many do, each in its own way, in milliseconds until the attempt is over and whether it was taken. */
const ways = {
  "answer after 14 seconds": () => ({ afterMs: 14_000, error: undefined }),
  "never answer": () => ({ afterMs: 15_000, error: "timeout" as const }),
}

/** How many receivers, of how many accounts. */
const many = [[198, 198]] as const

for (const [count, accounts] of many)
  for (const [name, way] of Object.entries(ways))
    test(`a quick receiver is not kept waiting while ${count} of ${accounts} accounts ${name}`, async () => {
      await using world = await deliveryWorld()
      for (let webhook = 0; webhook < count; webhook++)
        await world.webhook(world.account(webhook % accounts), () => way())
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
      assert.ok(world.underWayMost() <= 768, `${world.underWayMost()} attempts were under way at once`)
    })
