import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { createPrincipalCache } from "../../src/core/api/authentication/principal-cache.ts"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { manualClock } from "../harness/clock.ts"
import { principalOf } from "../harness/principal.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"

const quota = { minute: 60, day: 1000 }
const windowMs = 60_000

describe("two replicas on one Redis", { skip: withoutRedis }, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let replicas: Awaited<ReturnType<typeof openRedis>>[] = []
  let accounts = 0
  const absences: unknown[] = []
  const reportOutage = (reason: string | undefined) => void absences.push(reason)
  const options = { clock: steadyClock, liveReplicas: () => 2, timeoutMs: 10_000, reportOutage }

  before(async () => {
    redis = await startRedis()
    replicas = [await openRedis(redis.url, options), await openRedis(redis.url, options)]
  })

  after(async () => {
    for (const replica of replicas) await replica.close()
    await redis[Symbol.asyncDispose]()
    assert.deepEqual(absences, [])
  })

  const either = (n: number) => replicas[n % 2] as (typeof replicas)[number]

  test("an account gets exactly its 60 requests a minute across both", async () => {
    const account = ++accounts
    const verdicts = await Promise.all(Array.from({ length: 500 }, (_, n) => either(n).limiter.admit(account, quota)))
    assert.equal(verdicts.filter(({ full }) => full === undefined).length, 60)
    for (const n of [0, 1]) {
      const usage = await either(n).limiter.usage(account, quota)
      assert.deepEqual(
        usage.map(({ used, remaining }) => [used, remaining]),
        [
          [60, 0],
          [60, 940],
        ],
      )
    }
  })

  test("attempts count across both, separately for each kind", async () => {
    const tried = [{ name: "password of person", max: 10 }]
    const count = async (kind: string) => {
      const counters = replicas.map((replica) => replica.attempts(kind))
      const waits = Array.from({ length: 50 }, (_, n) => counters[n % 2]?.admit(tried, windowMs))
      return (await Promise.all(waits)).filter((wait) => wait === undefined).length
    }
    assert.equal(await count("people"), 10)
    assert.equal(await count("addresses"), 10)
  })

  test("a key revoked through one replica is looked up again by the other", async () => {
    const clock = manualClock()
    const find = createPrincipalCache(either(1).signals, clock)
    const look = (principal: ReturnType<typeof principalOf> | undefined) => find("key", "a", {}, async () => principal)
    assert.ok(await look(principalOf(1)))
    assert.ok(await look(undefined))
    const heard = Promise.withResolvers<void>()
    either(1).signals.listen(() => heard.resolve())
    await either(0).signals.announce({ kind: "credentials-changed", accountId: 1 })
    await heard.promise
    assert.equal(await look(undefined), undefined)
  })

  test("the announcer of a signal receives it once", async () => {
    const heard: number[] = []
    const others = Promise.withResolvers<void>()
    either(0).signals.listen(({ accountId }) => void heard.push(accountId))
    const stop = either(1).signals.listen(({ accountId }) => accountId === 8 && others.resolve())
    for (const accountId of [7, 8]) await either(0).signals.announce({ kind: "credentials-changed", accountId })
    await others.promise
    stop()
    assert.deepEqual(heard, [7, 8])
  })

  test("all keys of an account expire, and are in one slot of a cluster", async () => {
    const account = ++accounts
    await either(0).limiter.admit(account, quota)
    await either(0)
      .attempts("people")
      .admit([{ name: "a", max: 1 }], windowMs)
    const keys = await redis.client.keys("petstore:*")
    assert.ok(keys.length > 3)
    for (const key of keys.filter((key) => key !== "petstore:identity"))
      assert.ok((await redis.client.pttl(key)) > 0, `${key} stays for ever`)
    // The braces select the slot.
    assert.equal(keys.filter((key) => key.startsWith(`petstore:limits:{${account}}:`)).length, 3)
  })

  test("what Redis stores for an account and a name is bounded by what is allowed", async () => {
    const account = ++accounts
    for (let n = 0; n < 3; n++)
      await Promise.all(Array.from({ length: 100 }, () => either(n).limiter.admit(account, quota)))
    const people = either(0).attempts("people")
    await Promise.all(Array.from({ length: 100 }, () => people.admit([{ name: "tried often", max: 10 }], windowMs)))
    const keys = await redis.client.keys("petstore:*")
    const lists = keys.filter((key) => key.includes(`{${account}}:minute`) || key.includes("attempts:people"))
    const lengths = await Promise.all(lists.map((key) => redis.client.llen(key)))
    assert.ok(lengths.length > 2)
    assert.equal(Math.max(...lengths), 60)
    const ofAccount = keys.filter((key) => key.startsWith(`petstore:limits:{${account}}:`))
    const sizes = await Promise.all(ofAccount.map((key) => redis.client.memory("USAGE", key)))
    assert.ok(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) < 2_000)
  })

  test("no attempted name can be read in Redis", async () => {
    await either(0)
      .attempts("people")
      .admit([{ name: "password of person@petstore.example", max: 1 }], windowMs)
    assert.deepEqual(await redis.client.keys("*person*"), [])
  })
})

describe("the clock of Redis", { skip: withoutRedis }, () => {
  test("set back, counts admitted requests as just made, once", async () => {
    await using redis = await startRedis()
    const clock = manualClock()
    const reportOutage = (reason: string | undefined) => assert.equal(reason, undefined)
    const { limiter, close } = await openRedis(redis.url, {
      clock,
      now: clock.now,
      liveReplicas: () => 1,
      timeoutMs: 10_000,
      reportOutage,
    })
    await using _closed = { [Symbol.asyncDispose]: close }
    const small = { minute: 10, day: 100 }
    for (let n = 0; n < 4; n++) await limiter.admit(1, small)
    clock.advance(60_000)
    for (let n = 0; n < 3; n++) await limiter.admit(1, small)
    clock.advance(-30 * 86_400_000)
    const used = async () => (await limiter.usage(1, small)).map(({ used }) => used)
    assert.deepEqual(await used(), [3, 7])
    for (let n = 0; n < 20; n++) await limiter.admit(1, small)
    assert.deepEqual(await used(), [10, 14])
    clock.advance(86_400_000 + 60_000)
    assert.deepEqual(await used(), [0, 0])
  })
})
