// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { createPrincipalCache, type Principal } from "../../src/core/api/authentication/principal-cache.ts"
import type { Limiter } from "../../src/core/domain/ports/limiter.ts"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { manualClock } from "../harness/clock.ts"
import { principalOf } from "../harness/principal.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { until } from "../harness/until.ts"

const account = 1
const wide = { minute: 60_000, day: 1_000_000 }
/** Maximum response time when Redis does not respond for a second, on a machine that is busy with other tests. */
const replyMsMax = 3_000

/** The counters of two processes on one Redis, with their reports about it. */
async function twoReplicas() {
  const redis = await startRedis()
  const reports: string[] = []
  const open = (name: string) =>
    openRedis(redis.url, {
      clock: steadyClock,
      liveReplicas: () => 2,
      reportOutage: (reason) => void reports.push(`${name} ${reason === undefined ? "back" : "away"}`),
    })
  const [one, other] = [await open("one"), await open("other")]
  return {
    redis,
    reports,
    one,
    other,
    async [Symbol.asyncDispose]() {
      await one.close()
      await other.close()
      await redis[Symbol.asyncDispose]()
    },
  }
}

/** Sends requests to a limiter continuously; the returned function stops and resolves with the results. */
function load(limiter: Limiter) {
  const stopped = new AbortController()
  let admitted = 0
  let slowestMs = 0
  const sendRequests = async () => {
    while (!stopped.signal.aborted) {
      const startedAt = performance.now()
      if (!(await limiter.admit(account, wide)).full) admitted++
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      await sleep(10)
    }
  }
  const sending = Promise.all(Array.from({ length: 4 }, sendRequests))
  return async () => {
    stopped.abort()
    await sending
    return { admitted, slowestMs }
  }
}

type Redis = Awaited<ReturnType<typeof startRedis>>

const outages = [
  {
    outage: "killed and started again without data",
    begin: (redis: Redis) => redis.kill("SIGKILL"),
    end: (redis: Redis) => redis.restart(),
  },
  {
    outage: "suspended, so that it accepts connections and does not respond",
    begin: (redis: Redis) => redis.kill("SIGSTOP"),
    end: (redis: Redis) => redis.kill("SIGCONT"),
  },
]

describe("while Redis is away", { skip: withoutRedis }, () => {
  for (const { outage, begin, end } of outages) {
    test(`each replica admits its share of the quota and of attempts, and these stay counted: ${outage}`, async () => {
      await using replicas = await twoReplicas()
      const { redis, one, other } = replicas
      const quota = { minute: 10, day: 100 }
      const admittedOf = async (limiter: Limiter, account: number) => {
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.admit(account, quota)))
        return verdicts.filter(({ full }) => full === undefined).length
      }
      const tried = [{ name: "password of a user", max: 10 }]
      const [here, elsewhere] = [one.attempts("passwords"), other.attempts("passwords")]
      const triedWith = async ({ admit }: typeof here) => {
        const waits = await Promise.all(Array.from({ length: 20 }, () => admit(tried, 60_000)))
        return waits.filter((wait) => wait === undefined).length
      }
      await one.limiter.admit(2, quota)
      await begin(redis)
      await until(() => one.isAway() && other.isAway(), "the outage is not detected")
      assert.deepEqual([await admittedOf(one.limiter, 2), await admittedOf(other.limiter, 2)], [4, 5])
      const { full, usage } = await one.limiter.admit(2, quota)
      assert.deepEqual(full?.violated, ["minute"])
      assert.deepEqual(
        { quota: usage[0]?.quota, used: usage[0]?.used, remaining: usage[0]?.remaining },
        { quota: 10, used: 5, remaining: 0 },
      )
      assert.deepEqual(
        { here: await triedWith(here), elsewhere: await triedWith(elsewhere) },
        { here: 5, elsewhere: 5 },
      )
      await end(redis)
      await until(() => !one.isAway() && !other.isAway(), "Redis is not used again")
      await until(async () => (await one.limiter.usage(2, quota))[0]?.used === 10, "admitted requests are not counted")
      assert.equal(await triedWith(here), 0)
    })

    test(`a key revoked during the outage is accepted elsewhere for less than 5 s: ${outage}`, async () => {
      await using replicas = await twoReplicas()
      const { redis, one, other } = replicas
      const clock = manualClock()
      const find = createPrincipalCache(other.signals, clock)
      const lookUp = (principal: Principal | undefined) => find("key", "a", {}, async () => principal)
      await lookUp(principalOf(account))
      await begin(redis)
      await one.signals.announce({ kind: "credentials-changed", accountId: account })
      clock.advance(4_999)
      assert.ok(await lookUp(undefined), "the cache lost the entry for another reason, so nothing is tested")
      clock.advance(1)
      assert.equal(await lookUp(undefined), undefined)

      await end(redis)
      const received: number[] = []
      other.signals.listen(({ accountId }) => void received.push(accountId))
      await until(async () => {
        await one.signals.announce({ kind: "credentials-changed", accountId: 7 })
        return received.includes(7)
      }, "signals are not received again")
    })
  }

  for (const { outage, begin, end } of outages)
    test(`requests continue, and each admitted one is counted once after the outage: ${outage}`, async (t) => {
      await using replicas = await twoReplicas()
      const { redis, one, other, reports } = replicas
      const stops = [load(one.limiter), load(other.limiter)]
      await sleep(1_000)
      await begin(redis)
      await until(() => one.isAway() && other.isAway(), "the outage is not detected")
      await sleep(1_500)
      await end(redis)
      await until(() => !one.isAway() && !other.isAway(), "Redis is not used again")
      await sleep(500)
      let admitted = 0
      for (const stop of stops) {
        const result = await stop()
        admitted += result.admitted
        assert.ok(result.slowestMs < replyMsMax, `a request took ${result.slowestMs} ms`)
      }
      const used = async () => (await one.limiter.usage(account, wide))[1]?.used
      await until(async () => !one.isAway() && (await used()) === admitted, "not every request is counted once")
      reportEffort(t, { faults: 1, "in flight": 8, calls: admitted })
      for (const name of ["one", "other"]) {
        const states = reports.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length + 1))
        assert.deepEqual(
          states,
          states.map((_, n) => (n % 2 === 0 ? "away" : "back")),
        )
      }
    })
})
