import assert from "node:assert/strict"
import { existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { manualClock } from "../../test/harness/clock.ts"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import type { Signal } from "../domain/ports/signals.ts"
import type { Change } from "../domain/ports/store.ts"
import type { Locations } from "./blobs/locations.ts"
import {
  disksOf,
  migrateDatabase,
  openBlobs,
  openCounters,
  openDatabase,
  openServiceBlobs,
  readBlobs,
  type ServiceStart,
} from "./open.ts"

type Counting = Parameters<typeof openCounters>[2]

const locationsIn = (dataDir: string): Locations => ({
  dataDir,
  database: { kind: "sqlite", file: join(dataDir, "database/petstore.db") },
  images: { kind: "disk", directory: join(dataDir, "images") },
  redisUrl: undefined,
})

test("the directories of this machine that hold data are known by what they hold", () => {
  const locations = locationsIn("/data")
  assert.deepEqual(disksOf(locations), { database: "/data/database", images: "/data/images" })
  const elsewhere: Locations = {
    ...locations,
    database: { kind: "postgres", url: "", connections: 1 },
    images: {
      directory: "/data/images",
      kind: "s3",
      bucket: "b",
      prefix: "",
      endpoint: undefined,
      publicEndpoint: undefined,
      region: undefined,
      redirects: false,
    },
  }
  assert.deepEqual(disksOf(elsewhere), {})
})

test("a database is created, and the files that others can read are named", async () => {
  using directory = temporaryDirectory()
  const locations = locationsIn(join(directory.path, "data"))
  const { to } = await migrateDatabase(locations)
  assert.deepEqual(await migrateDatabase(locations), { from: to, to })
  mkdirSync(join(directory.path, "data/others"), { mode: 0o755 })
  const { store, exposed } = await openDatabase(locations)
  assert.equal(store.isShared, false)
  await store.close()
  assert.deepEqual(exposed, [])
})

test("images on the disk are bound to the database before they are served, and reading them creates nothing", async () => {
  using directory = temporaryDirectory()
  const locations = locationsIn(directory.path)
  const { directory: images } = locations.images
  const reader = await readBlobs(locations)
  assert.equal(await reader.owner(), undefined)
  assert.equal(existsSync(images), false)
  const opened = await openBlobs(locations)
  assert.deepEqual([opened.name, existsSync(images)], [images, true])
  const bound: string[] = []
  const start: ServiceStart = {
    bind: async (_, name) => void bound.push(name),
    report: () => assert.fail("unreachable"),
  }
  const service = await openServiceBlobs(locations, start)
  assert.deepEqual([bound, service.isAway()], [[images], false])
  service.close()
  const refusing = { ...start, bind: () => Promise.reject(new Error("of another database")) }
  await assert.rejects(openServiceBlobs(locations, refusing), /of another database/)
})

test("counters of one process are separate by kind, stored at the end, and reset together", async () => {
  using directory = temporaryDirectory()
  const { store } = await openDatabase(locationsIn(directory.path))
  const { id } = await store.transaction((tx) => tx.accounts.add({ name: "a", plan: "free" }))
  const clock = manualClock()
  const counting = { clock, report: (error: unknown) => assert.fail(String(error)) } as unknown as Counting
  const counters = await openCounters({ redisUrl: undefined }, store, counting)
  assert.equal(counters.isAway(), false)
  const [one, other] = [counters.attempts("one"), counters.attempts("other")]
  const admit = (kind: typeof one) => kind.admit([{ name: "ada", max: 1 }], 1000)
  assert.deepEqual([await admit(one), await admit(one), await admit(other)], [undefined, 1000, undefined])
  const quota = { minute: 5, day: 9 }
  await counters.limiter.admit(id, quota)
  assert.deepEqual(await store.limits.cells(id, 0), [])
  await counters.close()
  assert.equal((await store.limits.cells(id, 0)).length, 1)
  await store.transaction((tx) => tx.limits.prune(Number.MAX_SAFE_INTEGER, 10))
  await counters.forget()
  assert.deepEqual([await admit(one), await admit(other)], [undefined, undefined])
  assert.equal((await counters.limiter.usage(id, quota))[0]?.used, 0)
  await store.close()
})

test("after a commit whose outcome was unknown, every credential is looked up again", async () => {
  using directory = temporaryDirectory()
  const { store } = await openDatabase(locationsIn(directory.path))
  const listeners: ((changes: ReadonlySet<Change>) => void)[] = []
  const watched: typeof store = {
    ...store,
    onCommit(listener) {
      listeners.push(listener)
      return () => undefined
    },
  }
  const counting = { clock: manualClock(), report: () => undefined } as unknown as Counting
  const { signals } = await openCounters({ redisUrl: undefined }, watched, counting)
  const received: Signal[] = []
  const stop = signals.listen((signal) => void received.push(signal))
  const [listener] = listeners
  listener?.(new Set(["event-added"]))
  assert.deepEqual(received, [])
  listener?.(new Set(["event-added", "outcome-unknown"]))
  assert.deepEqual(
    received.map(({ kind }) => kind),
    ["credentials-changed"],
  )
  stop()
  listener?.(new Set(["outcome-unknown"]))
  assert.equal(received.length, 1)
  await store.close()
})
