import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"
import { steadyClock } from "../../src/kernel/clock.ts"
import { openRedis } from "../../src/storage/redis/open.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startRedis, withoutRedis } from "../harness/redis.ts"
import { until } from "../harness/until.ts"

const quota = { minute: 60, day: 1000 }

describe("a connection to Redis that loses replies", { skip: withoutRedis }, () => {
  async function throughProxy(liveReplicas: number) {
    const redis = await startRedis()
    const proxy = await lossyProxy(Number(new URL(redis.url).port))
    const options = { clock: steadyClock, liveReplicas: () => liveReplicas, reportOutage: () => undefined }
    const near = await openRedis(redis.url, options)
    const far = await openRedis(`redis://127.0.0.1:${proxy.port}`, options)
    return {
      ...{ near, far, proxy },
      async [Symbol.asyncDispose]() {
        await near.close()
        await far.close()
        await proxy[Symbol.asyncDispose]()
        await redis[Symbol.asyncDispose]()
      },
    }
  }

  test("leaves no request uncounted, and none counted twice", async () => {
    await using given = await throughProxy(1)
    const { near, far, proxy } = given
    const used = async () => (await near.limiter.standings(1, quota)).map(({ used }) => used)
    const admitAtOnce = (times: number) => Promise.all(Array.from({ length: times }, () => far.limiter.admit(1, quota)))
    await admitAtOnce(5)

    for (const expected of [15, 25]) {
      proxy.lose(true)
      const verdicts = await admitAtOnce(7)
      assert.ok(verdicts.every(({ full }) => full === undefined))
      assert.deepEqual(
        await used(),
        [expected - 3, expected - 3],
        "what was asked did not arrive, so nothing is tested",
      )
      assert.ok(far.isAway())
      await admitAtOnce(3)
      // A new connection begins meanwhile, and the replies that introduce it get lost as well.
      await sleep(500)
      proxy.lose(false)
      await until(() => !far.isAway(), "Redis is not taken up again")
      await until(async () => (await used())[0] === expected, "not every request is counted once")
      assert.deepEqual(await used(), [expected, expected])
    }
  })

  test("or brings requests late, has them counted once, where somebody went on without a reply", async () => {
    await using given = await throughProxy(1)
    const { near, far, proxy } = given
    const used = async () => (await near.limiter.standings(1, quota)).map(({ used }) => used)
    await far.limiter.admit(1, quota)
    proxy.hold()
    await Promise.all(Array.from({ length: 7 }, () => far.limiter.admit(1, quota)))
    await until(async () => !far.isAway() && (await used())[0] === 8, "what was counted here is not in Redis")
    proxy.release()
    await sleep(100)
    assert.deepEqual(await used(), [8, 8])
  })

  test("is given up within the time a reply may take, and what is asked then is not asked of it", async () => {
    await using given = await throughProxy(1)
    const { far, proxy } = given
    await far.limiter.admit(1, quota)
    proxy.lose(true)
    const timed = async () => {
      const begun = performance.now()
      await far.limiter.admit(1, quota)
      return performance.now() - begun
    }
    const firstMs = await timed()
    assert.ok(firstMs >= 950 && firstMs < 2_500, `${firstMs} ms`)
    for (let n = 0; n < 20; n++) {
      // Asked again, it would take as long as before.
      assert.ok((await timed()) < firstMs / 4)
      await sleep(20)
    }
  })

  test("keeps what is revoked elsewhere from this replica for 5 s at most, and is replaced when it is half open", async () => {
    await using given = await throughProxy(1)
    const { near, far, proxy } = given
    assert.equal(far.signals.unheardMsMax, 5_000)
    const heard: number[] = []
    far.signals.listen(({ accountId }) => void heard.push(accountId))
    const announce = (accountId: number) => near.signals.announce({ kind: "credentials-changed", accountId })
    const isHeard = async (accountId: number) => {
      await announce(accountId)
      await sleep(50)
      return heard.includes(accountId)
    }
    assert.ok(await isHeard(1))
    proxy.abandon()
    assert.ok(!(await isHeard(2)))
    let last = 2
    await until(() => isHeard(++last), "the half-open connection is kept")
  })
})
