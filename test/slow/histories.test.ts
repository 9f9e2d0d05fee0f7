import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { startReplicas, withoutCluster } from "../harness/cluster.ts"
import { isThorough } from "../harness/effort.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startPostgres } from "../harness/postgres.ts"
import { startRedis } from "../harness/redis.ts"
import { spawnPetstore } from "../harness/spawn.ts"
import { historyChecker, judgeHistory } from "../histories/checker.ts"
import { disturb, failuresOfCluster, failuresOfReplicas, shiftable } from "../histories/disturb.ts"
import { type Call, type Recorder, refused } from "../histories/record.ts"
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

  /** The history with one call changed. */
  const altered = (isSought: (call: Call, n: number) => boolean, change: (call: Call) => Partial<Call>): Call[] => {
    const at = history.findLastIndex(isSought)
    assert.notEqual(at, -1)
    return history.map((call, n) => (n === at ? { ...call, ...change(call) } : call))
  }

  /** The history with another name in the last read of a batch. */
  const withBatchRead = (name: string) =>
    altered(
      ({ kind, do: what, status }) => kind === "batch" && what === "read" && status === 200,
      () => ({ output: { name } }),
    )

  const alterations: Record<string, { kind: Call["kind"]; of: () => Call[] }> = {
    "a read of the name before the last change": {
      kind: "pet",
      of: () => {
        const read = history.findLast(
          ({ kind, do: what, status }) => kind === "pet" && what === "read" && status === 200,
        ) as Call
        const [earlier] = history.filter(
          ({ do: what, key, status }) => what === "replace" && key === read.key && status === 200,
        )
        return altered(
          (call) => call === read,
          () => ({ output: { ...read.output, name: earlier?.input?.name as string } }),
        )
      },
    },
    "a change with an outdated ETag that succeeds": {
      kind: "pet",
      of: () =>
        altered(
          ({ do: what, status }) => what === "replace" && status === 412,
          () => ({ status: 200, output: { etag: '"new"' } }),
        ),
    },
    "a batch of which a part is changed": { kind: "batch", of: () => withBatchRead("") },
    "a batch that is as before its last change": { kind: "batch", of: () => withBatchRead("first") },
    "a second open order": {
      kind: "order",
      of: () => {
        const last = history.findLast(({ do: what, status }) => what === "place" && status === 409) as Call
        return altered(
          (call) => call === last,
          () => ({ status: 200, output: { id: 4711 } }),
        )
      },
    },
    "a key with two pets": {
      kind: "key",
      of: () =>
        altered(
          ({ do: what }) => what === "count",
          () => ({ output: { count: 2 } }),
        ),
    },
    "a repetition with another pet": {
      kind: "key",
      of: () => {
        const added = history.filter(({ kind, do: what, status }) => kind === "key" && what === "add" && status === 200)
        const last = added.findLast((call) => added.some((other) => other !== call && other.key === call.key)) as Call
        return altered(
          (call) => call === last,
          () => ({ output: { id: 1 } }),
        )
      },
    },
    "a hundred requests in a second": {
      kind: "limit",
      of: () => {
        const end = Math.max(...history.map((call) => call.end))
        const more = Array.from({ length: 100 }, (_, n): Call => {
          const at = end + n * 1000
          return { client: 0, kind: "limit", key: "free-key", do: "read", status: 200, start: at, end: at + 500 }
        })
        return [...history, ...more]
      },
    },
    "an effect of a change that was refused": {
      kind: "event",
      of: () =>
        altered(
          ({ do: what, kind, status }) => kind === "pet" && what === "replace" && status === 200,
          () => ({ status: refused }),
        ),
    },
    "a change without an event": {
      kind: "event",
      of: () => history.filter((call) => call !== history.findLast(({ kind }) => kind === "event")),
    },
    "an event twice": {
      kind: "event",
      of: () => [...history, history.find(({ kind }) => kind === "event") as Call],
    },
    "a delivery of a change that was not made": {
      kind: "delivery",
      of: () =>
        altered(
          ({ kind }) => kind === "delivery",
          () => ({ input: { name: "never written" } }),
        ),
    },
    "an event that is not delivered": {
      kind: "delivery",
      of: () => {
        const last = history.findLast(({ kind }) => kind === "event") as Call
        return history.filter((call) => call.kind !== "delivery" || call.key !== last.key)
      },
    },
    "a delivery with another id when it is repeated": {
      kind: "delivery",
      of: () => {
        const last = history.findLast(({ kind }) => kind === "delivery") as Call
        return [...history, { ...last, output: { etag: "evt_other" } }]
      },
    },
    "the deliveries of a pet in another order": {
      kind: "delivery",
      of: () => [
        ...history.filter(({ kind }) => kind !== "delivery"),
        ...history.filter(({ kind }) => kind === "delivery").reverse(),
      ],
    },
    "the events of a pet in another order": {
      kind: "event",
      of: () => {
        const events = history.filter(({ kind }) => kind === "event")
        return [...history.filter(({ kind }) => kind !== "event"), ...events.reverse()]
      },
    },
  }
  for (const [name, { kind, of }] of Object.entries(alterations))
    test(`${name} is impossible`, async () => {
      const wrong = (await judgeHistory(checker, of())).filter((verdict) => verdict.wrong !== undefined)
      assert.ok(
        wrong.some((verdict) => verdict.kind === kind),
        JSON.stringify(wrong),
      )
    })
})
