// Runs beside one other file at most.
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { spawnPetstore } from "../harness/spawn.ts"
import { historyChecker, judgeHistory } from "../histories/checker.ts"
import type { Call } from "../histories/record.ts"
import { killed, recordAndJudge } from "../histories/record-and-judge.ts"

const { path: checker = "", missing = false } = await historyChecker()
const kills = 5

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

describe("a history of a service that is killed", { skip: missing }, () => {
  let history: Call[] = []

  test("is possible: each pet a register, one open order, one pet for a key, no window over its limit, each change one event", async (t) => {
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

  const alterations: Record<string, { kind: Call["kind"]; of: () => Call[] }> = {
    "a read of the name before the last change": {
      kind: "pet",
      of: () => {
        const read = history.findLast((call) => call.do === "read" && call.status === 200) as Call
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
      of: () =>
        altered(
          ({ do: what, kind, status }) => kind === "key" && what === "add" && status === 200,
          () => ({ output: { id: 1 } }),
        ),
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
    "a change without an event": {
      kind: "event",
      of: () => history.filter((call) => call !== history.findLast(({ kind }) => kind === "event")),
    },
    "an event twice": {
      kind: "event",
      of: () => [...history, history.find(({ kind }) => kind === "event") as Call],
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
