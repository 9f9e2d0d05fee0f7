import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import type { Signal } from "../domain/ports/signals.ts"
import type { Change } from "../domain/ports/store.ts"
import type { Locations } from "./locations.ts"
import { disksOf, localStorage, type ServiceStart } from "./open.ts"

const { openDatabase, openServiceBlobs, openCounters } = localStorage

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

test("images on the disk are bound to the database before they are served", async () => {
  using directory = temporaryDirectory()
  const locations = locationsIn(directory.path)
  const { directory: images } = locations.images
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
  const { signals } = await openCounters({ redisUrl: undefined }, watched, {
    clock: manualClock(),
    liveReplicas: () => 1,
    reportOutage: () => undefined,
    report: () => undefined,
  })
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
