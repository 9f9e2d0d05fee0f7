import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { startCluster, startReplicas, withoutCluster } from "../harness/cluster.ts"
import { isThorough, unlessThorough } from "../harness/effort.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { startPostgres } from "../harness/postgres.ts"
import { startRedis } from "../harness/redis.ts"
import { spawnPetstore } from "../harness/spawn.ts"
import { historyChecker, judgeHistory } from "../histories/checker.ts"
import { type Call, refused } from "../histories/record.ts"
import { disconnected, killed, recordAndJudge } from "../histories/record-and-judge.ts"

const { path: checker = "", missing = false } = await historyChecker()
const kills = isThorough ? 5 : 3

test("the history of three replicas is possible while replicas, PostgreSQL and Redis are killed", {
  skip: missing || withoutCluster,
  timeout: 5 * 60_000,
}, async (t) => {
  await using cluster = await startCluster()
  await recordAndJudge(t, checker, cluster, async (recorder) => {
    for (const replica of cluster.replicas) {
      await after(1500)
      await recorder.during(killed, async () => {
        await replica.kill("SIGKILL")
        await after(300)
        await replica.restart()
      })
    }
    await after(1000)
    await recorder.during(killed, async () => {
      await cluster.postgres.stop("immediate")
      await after(500)
      await cluster.postgres.start()
      await after(2000)
    })
    await after(1000)
    await recorder.during(killed, async () => {
      await cluster.redis.kill("SIGKILL")
      await after(1500)
      await cluster.redis.restart()
      await after(500)
    })
    await after(1000)
  })
})

test("the history of three replicas is possible while the network to PostgreSQL and Redis cuts, delays and swallows", {
  skip: missing || withoutCluster || unlessThorough,
  timeout: 5 * 60_000,
}, async (t) => {
  await using postgres = await startPostgres({ durable: true })
  const redis = await startRedis()
  await using toPostgres = await lossyProxy(portOf(postgres.url))
  await using toRedis = await lossyProxy(portOf(redis.url))
  const through = (url: string, { port }: { port: number }) => Object.assign(new URL(url), { port: String(port) }).href
  await using cluster = await startReplicas({
    databaseUrl: through(await postgres.createDatabase(), toPostgres),
    startCounters: async () => ({ ...redis, url: through(redis.url, toRedis) }),
  })
  const disturbances = [toPostgres, toRedis].flatMap((network) => [
    async () => network.cut(),
    async () => {
      network.delay(200)
      await after(1500)
      network.delay(0)
    },
    async () => {
      network.lose(true)
      await after(1000)
      network.cut()
      network.lose(false)
    },
    async () => {
      network.hold()
      await after(1000)
      network.release()
      network.cut()
    },
    async () => network.abandon(),
  ])
  await recordAndJudge(t, checker, cluster, async (recorder) => {
    for (const disturb of disturbances) {
      await after(1000)
      await recorder.during(disconnected, async () => {
        await disturb()
        await after(1500)
      })
    }
    await after(1000)
  })
})

const portOf = (url: string): number => Number(new URL(url).port)

describe("a history of a service that is killed", { skip: missing }, () => {
  let history: Call[] = []

  test("is possible: each pet a register, one open order, a batch at once, one pet for a key, no window over its limit, each change one event, delivered in order", async (t) => {
    await using petstore = await spawnPetstore()
    history = await recordAndJudge(t, checker, petstore, async (recorder) => {
      for (let n = 0; n < kills; n++) {
        await after(1000 + Math.random() * 1000)
        await recorder.during(killed, async () => {
          await petstore.kill("SIGKILL")
          await petstore.restart()
        })
      }
      await after(1000)
    })
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
