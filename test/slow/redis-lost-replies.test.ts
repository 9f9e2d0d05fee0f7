// Runs beside two other files at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import { openRedis } from "../../src/parts/replicas/redis/open.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { until } from "../harness/until.ts"

const quota = { minute: 1000, day: 1000 }

/** What is counted of the day's limit, because on a busy machine a minute may pass. */
const usedInDay = async ({ limiter }: Awaited<ReturnType<typeof openRedis>>) =>
  (await limiter.usage(1, quota)).find(({ policy }) => policy === "day")?.used

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

  test("every request is counted exactly once", async (t) => {
    await using setup = await throughProxy(1)
    const { near, far, proxy } = setup
    const used = () => usedInDay(near)
    const admitAtOnce = (times: number) => Promise.all(Array.from({ length: times }, () => far.limiter.admit(1, quota)))
    await admitAtOnce(5)

    let [sent, lost] = [5, 0]
    // On a busy machine the replica may be without Redis already when replies are lost.
    for (let round = 0; lost < 2 && round < 10; round++) {
      proxy.lose(true)
      const verdicts = await admitAtOnce(7)
      assert.ok(verdicts.every(({ full }) => full === undefined))
      sent += verdicts.length
      if ((await used()) === sent) lost++
      sent += (await admitAtOnce(3)).length
      // Meanwhile a new connection starts, and its handshake replies are lost as well.
      await sleep(500)
      proxy.lose(false)
      await until(() => !far.isAway(), "Redis is not used again")
      await until(async () => (await used()) === sent, "not every request is counted once")
    }
    assert.equal(lost, 2, "the requests did not arrive, so nothing is tested")
    reportEffort(t, { faults: lost, "in flight": 7, calls: sent })
  })

  test("delayed requests are counted once, after the replica continued without a reply", async () => {
    await using setup = await throughProxy(1)
    const { near, far, proxy } = setup
    const used = () => usedInDay(near)
    await far.limiter.admit(1, quota)
    proxy.hold()
    await Promise.all(Array.from({ length: 7 }, () => far.limiter.admit(1, quota)))
    await until(async () => !far.isAway() && (await used()) === 8, "local counts are not in Redis")
    proxy.release()
    await sleep(100)
    assert.equal(await used(), 8)
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
    assert.ok(firstMs >= 950, `${firstMs} ms`)
    let laterMs = 0
    for (let n = 0; n < 20; n++) {
      laterMs += await timed()
      await sleep(20)
    }
    // Over the same connection, each would take as long as the first.
    assert.ok(laterMs < 10 * firstMs, `${laterMs} ms`)
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
    await until(() => isReceived(1), "the first revocation is not received")
    proxy.abandon()
    assert.ok(!(await isReceived(2)))
    let last = 2
    await until(() => isReceived(++last), "the half-open connection is not replaced")
  })
})
