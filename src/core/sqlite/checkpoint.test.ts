import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { Worker } from "node:worker_threads"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { createCheckpoint, framesMax } from "./checkpoint.ts"

/** A database whose log grows by frames, and its checkpoint. */
function openLog(file: string, report: (reason?: string) => void = assert.fail) {
  const writer = new DatabaseSync(file)
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")
  writer.exec("CREATE TABLE t (x); INSERT INTO t VALUES (0)")
  const synced: number[] = []
  const checkpoint = createCheckpoint(writer, { syncDatabase: async () => void synced.push(1) }, report)
  const frames = () => Number(checkpoint.position()?.split(" ")[0])
  return {
    writer,
    checkpoint,
    synced,
    /** Writes the same page until the log has so many frames that are not copied. */
    growTo(count: number): void {
      const copied = Number(checkpoint.position()?.split(" ")[1])
      while (frames() - copied < count) writer.exec("UPDATE t SET x = x + 1")
      assert.equal(frames() - copied, count)
    },
    [Symbol.dispose]: () => writer.close(),
  }
}

test("the log is copied after a thousand frames, or when that is requested, and the database is flushed", async () => {
  using directory = temporaryDirectory()
  using log = openLog(join(directory.path, "petstore.db"))
  const { checkpoint, growTo, synced, writer } = log
  const { isDue, run, request } = checkpoint
  growTo(framesMax - 1)
  assert.equal(isDue(), false)
  growTo(framesMax)
  assert.equal(isDue(), true)
  await run()
  assert.deepEqual([isDue(), synced.length, writer.prepare("PRAGMA synchronous").get()?.synchronous], [false, 1, 1])
  writer.exec("UPDATE t SET x = 0")
  assert.equal(isDue(), false)
  request()
  assert.equal(isDue(), true)
  await run()
  assert.deepEqual([isDue(), synced.length], [false, 2])
  assert.deepEqual(await checkpoint.metrics[0]?.read(), [{ labels: {}, value: 0 }])
})

test("frames that a reader keeps from being copied make no copy due before a thousand more", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  using log = openLog(file)
  const { checkpoint, growTo } = log
  await checkpoint.run()
  growTo(10)
  using reader = new DatabaseSync(file, { readOnly: true })
  reader.exec("BEGIN; SELECT * FROM t")
  const before = Number(checkpoint.position()?.split(" ")[0])
  growTo(framesMax)
  await checkpoint.run()
  assert.ok(Number(checkpoint.position()?.split(" ")[1]) <= before, "what the reader sees stays in the log")
  assert.equal(checkpoint.isDue(), false)
  const left = Number(checkpoint.position()?.split(" ")[0]) - before
  for (let n = 1; n < framesMax; n++) log.writer.exec("UPDATE t SET x = x + 1")
  assert.deepEqual([left > 900, checkpoint.isDue()], [true, false])
  log.writer.exec("UPDATE t SET x = x + 1")
  assert.equal(checkpoint.isDue(), true)
})

test("the log of a database that has become much smaller is copied by a thread, which has ended by then", async (t) => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  using log = openLog(file)
  const { checkpoint, synced, writer } = log
  writer.exec("INSERT INTO t VALUES (zeroblob(35000000))")
  await checkpoint.run()
  const threads: Worker[] = []
  const ended: number[] = []
  const note = (thread: Worker) => {
    threads.push(thread)
    thread.once("exit", (code) => ended.push(code))
  }
  process.on("worker", note)
  t.after(() => process.off("worker", note))
  writer.exec("DELETE FROM t; VACUUM")
  const sizes = [statSync(file).size]
  await checkpoint.run()
  sizes.push(statSync(file).size)
  assert.deepEqual([threads.length, ended.length, synced.length, checkpoint.isDue()], [1, 1, 2, false])
  assert.ok((sizes[0] ?? 0) > 35_000_000 && (sizes[1] ?? 0) < 100_000, `${sizes}`)
})
