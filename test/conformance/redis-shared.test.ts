// Runs in a process of its own.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { principalCache } from "../../src/http/authentication/principal-cache.ts"
import { steadyClock } from "../../src/kernel/clock.ts"
import { openRedis } from "../../src/storage/redis/open.ts"
import { manualClock } from "../harness/petstore.ts"
import { principalOf } from "../harness/principal.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"

const quota = { minute: 60, day: 1000 }
const windowMs = 60_000

describe("two replicas on one Redis", { skip: withoutRedis }, () => {
  let redis: Awaited<ReturnType<typeof startRedis>>
  let replicas: Awaited<ReturnType<typeof openRedis>>[] = []
  let accounts = 0
  const absences: unknown[] = []
  const tell = (reason: string | undefined) => void absences.push(reason)
  const options = { clock: steadyClock, liveReplicas: () => 2, timeoutMs: 10_000, tell }

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

  test("an account gets exactly 60 requests per minute across both replicas", async () => {
    const account = ++accounts
    const verdicts = await Promise.all(Array.from({ length: 500 }, (_, n) => either(n).limiter.admit(account, quota)))
    assert.equal(verdicts.filter(({ full }) => full === undefined).length, 60)
    for (const n of [0, 1]) {
      const standings = await either(n).limiter.standings(account, quota)
      assert.deepEqual(
        standings.map(({ used, remaining }) => [used, remaining]),
        [
          [60, 0],
          [60, 940],
        ],
      )
    }
  })

  test("attempts are counted across both replicas, separately for each kind", async () => {
    const tried = [{ name: "password of a user", max: 10 }]
    const count = async (kind: string) => {
      const counters = replicas.map((replica) => replica.attempts(kind))
      const waits = Array.from({ length: 50 }, (_, n) => counters[n % 2]?.admit(tried, windowMs))
      return (await Promise.all(waits)).filter((wait) => wait === undefined).length
    }
    assert.equal(await count("passwords"), 10)
    assert.equal(await count("addresses"), 10)
  })

  test("a key revoked through one replica is looked up again by the other", async () => {
    const clock = manualClock()
    const find = principalCache(either(1).signals, clock)
    const lookUp = (principal: ReturnType<typeof principalOf> | undefined) =>
      find("key", "a", {}, async () => principal)
    assert.ok(await lookUp(principalOf(1)))
    assert.ok(await lookUp(undefined))
    const received = Promise.withResolvers<void>()
    either(1).signals.listen(() => received.resolve())
    await either(0).signals.announce({ kind: "credentials-changed", accountId: 1 })
    await received.promise
    assert.equal(await lookUp(undefined), undefined)
  })

  test("a signal is received once by the replica that announced it", async () => {
    const received: number[] = []
    const others = Promise.withResolvers<void>()
    either(0).signals.listen(({ accountId }) => void received.push(accountId))
    const stop = either(1).signals.listen(({ accountId }) => accountId === 8 && others.resolve())
    for (const accountId of [7, 8]) await either(0).signals.announce({ kind: "credentials-changed", accountId })
    await others.promise
    stop()
    assert.deepEqual(received, [7, 8])
  })

  test("all keys of an account expire, and are in one slot of a cluster", async () => {
    const account = ++accounts
    await either(0).limiter.admit(account, quota)
    await either(0)
      .attempts("passwords")
      .admit([{ name: "a", max: 1 }], windowMs)
    const keys = await redis.client.keys("petstore:*")
    assert.ok(keys.length > 3)
    for (const key of keys.filter((key) => key !== "petstore:identity"))
      assert.ok((await redis.client.pttl(key)) > 0, `${key} does not expire`)
    // The text in braces determines the slot.
    assert.equal(keys.filter((key) => key.startsWith(`petstore:limits:{${account}}:`)).length, 3)
  })

  test("the data in Redis for an account or a name is limited by its quota", async () => {
    const account = ++accounts
    for (let n = 0; n < 3; n++)
      await Promise.all(Array.from({ length: 100 }, () => either(n).limiter.admit(account, quota)))
    const passwords = either(0).attempts("passwords")
    await Promise.all(Array.from({ length: 100 }, () => passwords.admit([{ name: "tried often", max: 10 }], windowMs)))
    const keys = await redis.client.keys("petstore:*")
    const lists = keys.filter((key) => key.includes(`{${account}}:minute`) || key.includes("attempts:passwords"))
    const lengths = await Promise.all(lists.map((key) => redis.client.llen(key)))
    assert.ok(lengths.length > 2)
    assert.equal(Math.max(...lengths), 60)
    const ofAccount = keys.filter((key) => key.startsWith(`petstore:limits:{${account}}:`))
    const sizes = await Promise.all(ofAccount.map((key) => redis.client.memory("USAGE", key)))
    assert.ok(sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) < 2_000)
  })

  test("names of attempts are not readable in Redis", async () => {
    await either(0)
      .attempts("passwords")
      .admit([{ name: "password of someone@petstore.example", max: 1 }], windowMs)
    assert.deepEqual(await redis.client.keys("*someone*"), [])
  })
})

describe("the clock of Redis", { skip: withoutRedis }, () => {
  test("when set back, admitted requests count once from the new time", async () => {
    await using redis = await startRedis()
    const clock = manualClock()
    const tell = (reason: string | undefined) => assert.equal(reason, undefined)
    const { limiter, close } = await openRedis(redis.url, {
      ...{ clock, now: clock.now, liveReplicas: () => 1, timeoutMs: 10_000, tell },
    })
    await using _closed = { [Symbol.asyncDispose]: close }
    const small = { minute: 10, day: 100 }
    for (let n = 0; n < 4; n++) await limiter.admit(1, small)
    clock.advance(60_000)
    for (let n = 0; n < 3; n++) await limiter.admit(1, small)
    clock.advance(-30 * 86_400_000)
    const used = async () => (await limiter.standings(1, small)).map(({ used }) => used)
    assert.deepEqual(await used(), [3, 7])
    for (let n = 0; n < 20; n++) await limiter.admit(1, small)
    assert.deepEqual(await used(), [10, 14])
    clock.advance(86_400_000 + 60_000)
    assert.deepEqual(await used(), [0, 0])
  })
})
