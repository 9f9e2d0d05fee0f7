// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { until } from "../harness/until.ts"

const quota = { minute: 60, day: 1000 }

describe("when replies of Redis are lost", { skip: withoutRedis }, () => {
  async function throughProxy(liveReplicas: number) {
    const redis = await startRedis()
    const proxy = await lossyProxy(Number(new URL(redis.url).port))
    const options = { clock: steadyClock, liveReplicas: () => liveReplicas, reportOutage: () => undefined }
    const near = await openRedis(redis.url, options)
    const far = await openRedis(`redis://127.0.0.1:${proxy.port}`, options)
    return {
      near,
      far,
      proxy,
      async [Symbol.asyncDispose]() {
        await near.close()
        await far.close()
        await proxy[Symbol.asyncDispose]()
        await redis[Symbol.asyncDispose]()
      },
    }
  }

  test("every request is counted exactly once", async () => {
    await using setup = await throughProxy(1)
    const { near, far, proxy } = setup
    const used = async () => (await near.limiter.usage(1, quota)).map(({ used }) => used)
    const admitAtOnce = (times: number) => Promise.all(Array.from({ length: times }, () => far.limiter.admit(1, quota)))
    await admitAtOnce(5)

    for (const expected of [15, 25]) {
      proxy.lose(true)
      const verdicts = await admitAtOnce(7)
      assert.ok(verdicts.every(({ full }) => full === undefined))
      assert.deepEqual(await used(), [expected - 3, expected - 3], "the requests did not arrive, so nothing is tested")
      assert.ok(far.isAway())
      await admitAtOnce(3)
      // Meanwhile a new connection starts, and its handshake replies are lost as well.
      await sleep(500)
      proxy.lose(false)
      await until(() => !far.isAway(), "Redis is not used again")
      await until(async () => (await used())[0] === expected, "not every request is counted once")
      assert.deepEqual(await used(), [expected, expected])
    }
  })

  test("delayed requests are counted once, after the replica continued without a reply", async () => {
    await using setup = await throughProxy(1)
    const { near, far, proxy } = setup
    const used = async () => (await near.limiter.usage(1, quota)).map(({ used }) => used)
    await far.limiter.admit(1, quota)
    proxy.hold()
    await Promise.all(Array.from({ length: 7 }, () => far.limiter.admit(1, quota)))
    await until(async () => !far.isAway() && (await used())[0] === 8, "local counts are not in Redis")
    proxy.release()
    await sleep(100)
    assert.deepEqual(await used(), [8, 8])
  })

  test("the connection is closed when a reply times out, and later requests do not use it", async () => {
    await using setup = await throughProxy(1)
    const { far, proxy } = setup
    await far.limiter.admit(1, quota)
    proxy.lose(true)
    const timed = async () => {
      const startedAt = performance.now()
      await far.limiter.admit(1, quota)
      return performance.now() - startedAt
    }
    const firstMs = await timed()
    assert.ok(firstMs >= 950 && firstMs < 2_500, `${firstMs} ms`)
    for (let n = 0; n < 20; n++) {
      // Over the same connection, it would take as long as before.
      assert.ok((await timed()) < firstMs / 4)
      await sleep(20)
    }
  })

  test("revocations elsewhere are delayed by 5 s at most, and a half-open connection is replaced", async () => {
    await using setup = await throughProxy(1)
    const { near, far, proxy } = setup
    assert.equal(far.signals.maxDelayMs, 5_000)
    const received: number[] = []
    far.signals.listen(({ accountId }) => void received.push(accountId))
    const announce = (accountId: number) => near.signals.announce({ kind: "credentials-changed", accountId })
    const isReceived = async (accountId: number) => {
      await announce(accountId)
      await sleep(50)
      return received.includes(accountId)
    }
    assert.ok(await isReceived(1))
    proxy.abandon()
    assert.ok(!(await isReceived(2)))
    let last = 2
    await until(() => isReceived(++last), "the half-open connection is not replaced")
  })
})
