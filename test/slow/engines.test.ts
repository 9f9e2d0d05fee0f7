// Runs beside two other files at most.
import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { startReplicas, withoutCluster } from "../harness/cluster.ts"
import { unlessThorough } from "../harness/effort.ts"
import { makeImage } from "../harness/images.ts"
import { startPatroni, withoutPatroni } from "../harness/patroni.ts"
import { startPgbouncer, withoutPgbouncer } from "../harness/pgbouncer.ts"
import { missingNewPostgres, startNewPostgres } from "../harness/postgres.ts"
import { missingValkey, startValkey } from "../harness/redis.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { missingVersitygw, s3Credentials, startVersitygw } from "../harness/s3.ts"
import { until } from "../harness/until.ts"
import { historyChecker } from "../histories/checker.ts"
import type { Call } from "../histories/record.ts"
import { killed, recordAndJudge } from "../histories/record-and-judge.ts"

const { path: checker = "", missing = false } = await historyChecker()
const withoutOthers =
  unlessThorough ||
  withoutPgbouncer ||
  (await missingNewPostgres()) ||
  (await missingValkey()) ||
  (await missingVersitygw())

/** Patroni releases the lock of a killed primary after 10 s here; the others become ready again after that. */
const resumesWithinMs = 40_000

test("the history of three replicas is possible while Patroni replaces a killed primary, and switches to a standby", {
  skip: missing || withoutCluster || withoutPatroni || unlessThorough,
}, async (t) => {
  await using patroni = await startPatroni()
  await using cluster = await startReplicas({ databaseUrl: patroni.url })
  const changed: number[] = []
  const history = await recordAndJudge(t, checker, cluster, async (recorder) => {
    const writesResume = async (from: number) => {
      const isNew = (call: Call) => call.kind === "pet" && call.do === "replace" && call.status === 200
      await until(() => recorder.calls.slice(from).filter(isNew).length > 20, "writes did not resume", resumesWithinMs)
    }
    await after(3_000)
    const first = (await patroni.primary()) as string
    await recorder.during(killed, async () => {
      await patroni.kill(first)
      const from = recorder.calls.length
      changed.push(performance.now() * 1_000)
      await until(
        async () => ![undefined, first].includes(await patroni.primary()),
        "Patroni made no other node the primary",
        resumesWithinMs,
      )
      await writesResume(from)
    })
    await after(2_000)
    patroni.start(first)
    await patroni.ready()
    await after(1_000)
    await recorder.during(killed, async () => {
      changed.push(performance.now() * 1_000)
      await patroni.switchover()
      await writesResume(recorder.calls.length)
    })
    await after(2_000)
  })
  const [afterKill, afterSwitchover] = changed.map((at) => longestPause(history, at))
  reportEffort(t, {
    "longest time without a change after a kill": `${afterKill} ms`,
    "after a switchover": `${afterSwitchover} ms`,
  })
})

/** The longest time between two acknowledged changes, of those that ended in the 40 s after `from`. */
function longestPause(history: readonly Call[], from: number): number {
  const ends = history
    .filter(({ kind, do: what, status }) => kind === "pet" && what !== "read" && status === 200)
    .map(({ end }) => end)
    .filter((end) => end > from - 1_000_000 && end < from + resumesWithinMs * 1_000)
    .sort((a, b) => a - b)
  return Math.round(Math.max(...ends.slice(1).map((end, n) => end - (ends[n] as number))) / 1_000)
}

test("the history of three replicas is possible, and no image is lost, while PgBouncer, PostgreSQL 18, Valkey and versitygw are killed", {
  skip: missing || withoutOthers,
}, async (t) => {
  await using opened = new AsyncDisposableStack()
  const postgres = opened.use(await startNewPostgres({ durable: true }))
  const pgbouncer = opened.use(await startPgbouncer(postgres.url, { poolSize: 20 }))
  const s3 = opened.use(await startVersitygw())
  const databaseUrl = `${pgbouncer.urlOf(await postgres.createDatabase())}?prepare=off`
  const env = { ...s3Credentials, PETSTORE_BLOB_URL: `s3://${await s3.createBucket()}/images?endpoint=${s3.endpoint}` }
  await using cluster = await startReplicas({ databaseUrl, env, startCounters: startValkey })
  await using uploading = startUploads(cluster.url)

  await recordAndJudge(t, checker, cluster, async (recorder) => {
    const failures = [
      async () => {
        const [replica] = cluster.replicas
        await replica?.kill("SIGKILL")
        await replica?.restart()
      },
      async () => {
        await pgbouncer.kill()
        await after(500)
        await pgbouncer.restart()
      },
      async () => {
        await postgres.stop("immediate")
        await after(500)
        await postgres.start()
        await after(1_500)
      },
      async () => {
        await cluster.redis.kill("SIGKILL")
        await after(1_500)
        await cluster.redis.restart()
        await after(500)
      },
      async () => {
        s3.signal("SIGKILL")
        await after(1_500)
        await s3.restart()
      },
    ]
    for (const fail of failures) {
      await after(1_500)
      await recorder.during(killed, fail)
    }
    await after(2_000)
  })
  await uploading.verify(t)
})

/** Uploads images, one after the other, until `verify` reads all that were acknowledged. */
function startUploads(url: string) {
  const ending = new AbortController()
  const images = new Map<string, Buffer>()
  const statuses = new Map<number, number>()
  const uploading = (async () => {
    for (let seed = 1; !ending.signal.aborted; seed++) {
      const image = await makeImage("png", 64, 48, (seed * 7) % 256)
      // A pet has at most 50.
      const response = await fetch(`${url}/api/v3/pet/${(seed % 10) + 1}/uploadImage`, {
        method: "POST",
        headers: { api_key: "special-key", "content-type": "image/png" },
        body: new Uint8Array(image),
      })
      const text = await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const [key] = /[0-9a-f]{64}/.exec(text) ?? []
      if (response.ok && key !== undefined) images.set(key, image)
      await after(200)
    }
  })()
  const stop = async () => {
    ending.abort()
    await uploading
  }
  return {
    async verify(t: TestContext): Promise<void> {
      await stop()
      for (const [key, image] of images) {
        const response = await fetch(`${url}/images/${key}`)
        assert.deepEqual(Buffer.from(await response.arrayBuffer()), image)
      }
      reportEffort(t, { images: images.size, unavailable: statuses.get(503) ?? 0 })
      assert.ok(images.size > 10)
      assert.deepEqual(
        [...statuses.keys()].filter((status) => status !== 200 && status !== 503),
        [],
      )
    },
    [Symbol.asyncDispose]: stop,
  }
}
