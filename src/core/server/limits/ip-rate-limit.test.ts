import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../../test/harness/clock.ts"
import { memoryAttempts } from "../../memory/attempts.ts"
import { addressMax, ipRateLimit } from "./ip-rate-limit.ts"

test("an address may send so many requests a minute of each kind, which do not count against each other", async () => {
  assert.deepEqual(addressMax, { anonymous: 600, failed: 60, files: 3_000, password: 60 })
  const limit = ipRateLimit(memoryAttempts(manualClock()), ["192.0.2.0/24"])
  for (const [kind, max] of Object.entries(addressMax) as [keyof typeof addressMax, number][]) {
    for (let n = 0; n < max; n++) await limit(kind, "198.51.100.1")
    const detail = new RegExp(`^Your address may send ${max} requests a minute `)
    await assert.rejects(async () => limit(kind, "198.51.100.1"), { code: "too-many-requests", retryAfter: 60, detail })
    for (let n = 0; n <= max; n++) await limit(kind, "192.0.2.7")
  }
})
