import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { startReplicas, withoutCluster } from "../harness/cluster.ts"
import { isThorough } from "../harness/effort.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startPostgres } from "../harness/postgres.ts"
import { startRedis } from "../harness/redis.ts"
import { spawnPetstore } from "../harness/spawn.ts"
import { alterations } from "../histories/alterations.ts"
import { historyChecker, judgeHistory } from "../histories/checker.ts"
import { disturb, failuresOfCluster, failuresOfReplicas, shiftable } from "../histories/disturb.ts"
import type { Call, Recorder } from "../histories/record.ts"
import { disconnected, killed, recordAndJudge, seedsOf } from "../histories/record-and-judge.ts"
import { kindsOfCluster, kindsOfProcess, scheduleOf } from "../histories/schedule.ts"

const { path: checker = "", missing = false } = await historyChecker()
/** Only to end a test that hangs. */
const timeout = 20 * 60_000
const rounds = 3

for (const seed of seedsOf(rounds, 3303))
  test("the history of three replicas is possible while they, PostgreSQL, Redis and the network fail, pause and have wrong clocks, two at once", {
    skip: missing || withoutCluster,
    timeout,
  }, async (t) => {
    await using postgres = await startPostgres({ durable: true })
    const redis = await startRedis()
    await using toPostgres = await lossyProxy(portOf(postgres.url))
    await using toRedis = await lossyProxy(portOf(redis.url))
    const through = (url: string, { port }: { port: number }) =>
      Object.assign(new URL(url), { port: String(port) }).href
    await using cluster = await startReplicas({
      databaseUrl: through(await postgres.createDatabase(), toPostgres),
      startCounters: async () => ({ ...redis, url: through(redis.url, toRedis) }),
      env: shiftable,
    })
    const acts = failuresOfCluster(cluster, { postgres, toPostgres, toRedis })
    const schedule = scheduleOf(seed, isThorough ? 20 : 6, { of: kindsOfCluster, replicas: cluster.replicas.length })
    const perform = (recorder: Recorder) => disturb(recorder, schedule, acts, disconnected)
    await recordAndJudge(t, checker, cluster, perform, { seed, schedule })
  })

const portOf = (url: string): number => Number(new URL(url).port)

describe("a history of a service that is killed", { skip: missing }, () => {
  let history: Call[] = []

  for (const seed of seedsOf(rounds, 13))
    test("is possible, also paused and with a wrong clock: each pet a register, one open order, a batch at once, one pet for a key, no window over its limit, each change one event, delivered in order", {
      timeout,
    }, async (t) => {
      await using petstore = await spawnPetstore({ env: shiftable })
      const acts = failuresOfReplicas([petstore])
      const schedule = scheduleOf(seed, isThorough ? 8 : 4, { of: kindsOfProcess, replicas: 1 })
      const perform = (recorder: Recorder) => disturb(recorder, schedule, acts, killed)
      history = await recordAndJudge(t, checker, petstore, perform, { seed, schedule })
    })

  for (const [name, { kind, of }] of Object.entries(alterations))
    test(`${name} is impossible`, async () => {
      const wrong = (await judgeHistory(checker, of(history))).filter((verdict) => verdict.wrong !== undefined)
      assert.ok(
        wrong.some((verdict) => verdict.kind === kind),
        `only ${JSON.stringify(wrong)}`,
      )
    })
})
