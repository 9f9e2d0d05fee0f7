import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { type IpRateLimit, ipRateLimit } from "./ip-rate-limit.ts"

const minuteMs = 60_000

/** Attempts that count by name and never end. */
function countedAttempts() {
  const counts = new Map<string, number>()
  return {
    async admit(tried: readonly { name: string; max: number }[], windowMs: number) {
      assert.equal(windowMs, minuteMs)
      if (tried.some(({ name, max }) => (counts.get(name) ?? 0) >= max)) return 1001
      for (const { name } of tried) counts.set(name, (counts.get(name) ?? 0) + 1)
      return undefined
    },
  }
}

/** How many requests are admitted before the first one that is refused, and the problem of that one. */
async function admitted(limit: IpRateLimit, kind: Parameters<IpRateLimit>[0], address: string) {
  for (let count = 0; count < 5000; count++)
    try {
      await limit(kind, address)
    } catch (error) {
      assert.ok(error instanceof Problem)
      return { count, problem: error }
    }
  return { count: Number.POSITIVE_INFINITY, problem: undefined }
}

test("an address may send so many requests a minute of each kind, which do not count against each other", async () => {
  const limit = ipRateLimit(countedAttempts() as never, ["192.0.2.0/24"])
  const counts = { anonymous: 600, failed: 60, files: 3_000, password: 60 }
  for (const [kind, max] of Object.entries(counts) as [keyof typeof counts, number][]) {
    const { count, problem } = await admitted(limit, kind, "198.51.100.1")
    assert.equal(count, max, kind)
    assert.equal(problem?.code, "too-many-requests")
    assert.match(problem?.detail ?? "", new RegExp(`^Your address may send ${max} requests a minute `))
  }
  assert.equal((await admitted(limit, "failed", "198.51.100.2")).count, 60)
  assert.equal((await admitted(limit, "failed", "192.0.2.7")).count, Number.POSITIVE_INFINITY)
})

test("the wait is rounded up to a second", async () => {
  const limit = ipRateLimit({ admit: async () => 1001 } as never, [])
  const { problem } = await admitted(limit, "failed", "198.51.100.1")
  assert.equal(problem?.retryAfter, 2)
})
