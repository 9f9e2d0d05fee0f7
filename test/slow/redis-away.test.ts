import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import type { Limiter } from "../../src/domain/ports/limiter.ts"
import { type Principal, principalCache } from "../../src/http/authentication/principal-cache.ts"
import { steadyClock } from "../../src/kernel/clock.ts"
import { openRedis } from "../../src/storage/redis/open.ts"
import { manualClock } from "../harness/petstore.ts"
import { principalOf } from "../harness/principal.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { until } from "../harness/until.ts"

const account = 1
const wide = { minute: 60_000, day: 1_000_000 }
/** What a reply takes when Redis says nothing for a second, on a machine that is busy with other tests. */
const replyMsMax = 3_000

/** Two processes' counters on one Redis, and what each was told of it. */
async function twoReplicas() {
  const redis = await startRedis()
  const told: string[] = []
  const open = (name: string) =>
    openRedis(redis.url, {
      clock: steadyClock,
      liveReplicas: () => 2,
      reportOutage: (reason) => void told.push(`${name} ${reason === undefined ? "back" : "away"}`),
    })
  const [one, other] = [await open("one"), await open("other")]
  return {
    redis,
    told,
    one,
    other,
    async [Symbol.asyncDispose]() {
      await one.close()
      await other.close()
      await redis[Symbol.asyncDispose]()
    },
  }
}

/** Asks a limiter again and again; returns how to stop, which resolves with what became of it. */
function load(limiter: Limiter) {
  const stopped = new AbortController()
  let admitted = 0
  let slowestMs = 0
  const ask = async () => {
    while (!stopped.signal.aborted) {
      const begun = performance.now()
      if (!(await limiter.admit(account, wide)).full) admitted++
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      await sleep(10)
    }
  }
  const asking = Promise.all(Array.from({ length: 4 }, ask))
  return async () => {
    stopped.abort()
    await asking
    return { admitted, slowestMs }
  }
}

type Redis = Awaited<ReturnType<typeof startRedis>>

const outages = [
  {
    outage: "killed and started again with nothing in it",
    begin: (redis: Redis) => redis.kill("SIGKILL"),
    end: (redis: Redis) => redis.restart(),
  },
  {
    outage: "stopped, so that it takes connections and says nothing",
    begin: (redis: Redis) => redis.kill("SIGSTOP"),
    end: (redis: Redis) => redis.kill("SIGCONT"),
  },
]

describe("while Redis is away", { skip: withoutRedis }, () => {
  for (const { outage, begin, end } of outages) {
    test(`each replica admits its share of the quota and of attempts, which stay counted: ${outage}`, async () => {
      await using replicas = await twoReplicas()
      const { redis, one, other } = replicas
      const quota = { minute: 10, day: 100 }
      const admittedOf = async (limiter: Limiter, account: number) => {
        const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.admit(account, quota)))
        return verdicts.filter(({ full }) => full === undefined).length
      }
      const tried = [{ name: "password of somebody", max: 10 }]
      const [people, others] = [one.attempts("people"), other.attempts("people")]
      const triedWith = async ({ admit }: typeof people) => {
        const waits = await Promise.all(Array.from({ length: 20 }, () => admit(tried, 60_000)))
        return waits.filter((wait) => wait === undefined).length
      }
      await one.limiter.admit(2, quota)
      await begin(redis)
      await until(() => one.isAway() && other.isAway(), "nobody notices")
      assert.deepEqual([await admittedOf(one.limiter, 2), await admittedOf(other.limiter, 2)], [4, 5])
      const { full, standings } = await one.limiter.admit(2, quota)
      assert.deepEqual(full?.violated, ["minute"])
      assert.deepEqual([standings[0]?.quota, standings[0]?.used, standings[0]?.remaining], [10, 5, 0])
      assert.deepEqual([await triedWith(people), await triedWith(others)], [5, 5])
      await end(redis)
      await until(() => !one.isAway() && !other.isAway(), "Redis is not taken up again")
      await until(
        async () => (await one.limiter.standings(2, quota))[0]?.used === 10,
        "what was admitted is not counted",
      )
      assert.equal(await triedWith(people), 0)
    })

    test(`a key revoked meanwhile is accepted elsewhere for less than 5 s: ${outage}`, async () => {
      await using replicas = await twoReplicas()
      const { redis, one, other } = replicas
      const clock = manualClock()
      const find = principalCache(other.signals, clock)
      const look = (principal: Principal | undefined) => find("key", "a", {}, async () => principal)
      await look(principalOf(account))
      await begin(redis)
      await one.signals.announce({ kind: "credentials-changed", accountId: account })
      clock.advance(4_999)
      assert.ok(await look(undefined), "it was forgotten for another reason, so nothing is tested")
      clock.advance(1)
      assert.equal(await look(undefined), undefined)

      await end(redis)
      const heard: number[] = []
      other.signals.listen(({ accountId }) => void heard.push(accountId))
      await until(async () => {
        await one.signals.announce({ kind: "credentials-changed", accountId: 7 })
        return heard.includes(7)
      }, "signals are not heard again")
    })
  }

  for (const { outage, begin, end } of outages)
    test(`requests go on, and every one admitted is counted once when it is back: ${outage}`, async () => {
      await using replicas = await twoReplicas()
      const { redis, one, other, told } = replicas
      const stops = [load(one.limiter), load(other.limiter)]
      await sleep(1_000)
      await begin(redis)
      await until(() => one.isAway() && other.isAway(), "nobody notices")
      await sleep(1_500)
      await end(redis)
      await until(() => !one.isAway() && !other.isAway(), "Redis is not taken up again")
      await sleep(500)
      let admitted = 0
      for (const stop of stops) {
        const result = await stop()
        admitted += result.admitted
        assert.ok(result.slowestMs < replyMsMax, `a request took ${result.slowestMs} ms`)
      }
      const used = async () => (await one.limiter.standings(account, wide))[1]?.used
      await until(async () => !one.isAway() && (await used()) === admitted, "not every request is counted once")
      for (const name of ["one", "other"]) {
        const states = told.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length + 1))
        assert.deepEqual(
          states,
          states.map((_, n) => (n % 2 === 0 ? "away" : "back")),
        )
      }
    })
})
