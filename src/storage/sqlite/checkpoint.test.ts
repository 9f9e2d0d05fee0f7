import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync, StatementSync } from "node:sqlite"
import { test } from "node:test"
import type { Worker } from "node:worker_threads"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { createCheckpoint, framesMax } from "./checkpoint.ts"

test("a log that cannot be copied is reported once with its reason, retried every five seconds, and reported again when it is copied", async (t) => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  using writer = new DatabaseSync(file)
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (x)")
  const grow = (frames: number) => writer.exec(`INSERT INTO t VALUES (zeroblob(${frames * 4096}))`)
  grow(framesMax)

  t.mock.timers.enable({ apis: ["setTimeout"] })
  const told: (string | undefined)[] = []
  const parts = { disk: { syncDatabase: async () => {} }, report: (reason?: string) => void told.push(reason) }
  // SQLite copies the log into a file that it cannot write, and fails.
  using reader = new DatabaseSync(file, { readOnly: true })
  const failing = createCheckpoint(reader, parts)
  for (let n = 0; n < 3; n++) {
    assert.ok(failing.isDue())
    await failing.run()
    assert.deepEqual(
      { told, degraded: failing.degraded(), isDue: failing.isDue() },
      { told: ["the disk reported an error"], degraded: ["checkpoint"], isDue: false },
    )
    t.mock.timers.tick(5_000)
  }

  reader.close()
  const working = createCheckpoint(writer, parts)
  await working.run()
  assert.deepEqual(
    { degraded: working.degraded(), isDue: working.isDue(), told: told.length },
    { degraded: [], isDue: false, told: 1 },
  )
})

test("the position of the log changes with every commit that writes, even if the log starts over and grows to the same length", () => {
  using directory = temporaryDirectory()
  using writer = new DatabaseSync(join(directory.path, "petstore.db"))
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 1")
  const { position } = createCheckpoint(writer, { disk: { syncDatabase: async () => {} }, report: () => {} })
  const write = () => writer.exec("BEGIN IMMEDIATE; PRAGMA user_version = 1; COMMIT")
  const before = position()
  writer.exec("BEGIN IMMEDIATE; SELECT * FROM sqlite_schema; COMMIT")
  assert.equal(position(), before)

  writer.exec("PRAGMA wal_checkpoint(PASSIVE)")
  const copied = position()
  for (let n = 0; n < 5; n++) {
    write()
    assert.notEqual(position(), copied)
    if (n > 0) continue
    assert.match(position() as string, /^1 0$/)
  }
})

/** A database whose log grows by frames, and its checkpoint. */
function openLog(file: string, report: (reason?: string) => void = assert.fail) {
  const writer = new DatabaseSync(file)
  writer.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0")
  writer.exec("CREATE TABLE t (x); INSERT INTO t VALUES (0)")
  const synced: number[] = []
  const checkpoint = createCheckpoint(writer, { disk: { syncDatabase: async () => void synced.push(1) }, report })
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

test("once the log was emptied, those frames count no longer", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  using log = openLog(file)
  const { checkpoint, growTo, writer } = log
  await checkpoint.run()
  {
    using reader = new DatabaseSync(file, { readOnly: true })
    reader.exec("BEGIN; SELECT * FROM t")
    growTo(framesMax)
    await checkpoint.run()
    assert.equal(checkpoint.isDue(), false)
  }
  writer.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  assert.equal(checkpoint.isDue(), false)
  growTo(framesMax)
  assert.equal(checkpoint.isDue(), true)
})

test("after a failure a copy is due in five seconds or after a thousand more frames, and its success is reported once", async (t) => {
  using directory = temporaryDirectory()
  const reports: (string | undefined)[] = []
  using log = openLog(join(directory.path, "petstore.db"), (reason) => void reports.push(reason))
  const { checkpoint, growTo } = log
  const state = async () => [
    checkpoint.isDue(),
    ...checkpoint.degraded(),
    ...((await checkpoint.metrics[0]?.read()) ?? []).map((sample) => "value" in sample && sample.value),
  ]
  const { get } = StatementSync.prototype
  let isFailing = true
  t.mock.method(StatementSync.prototype, "get", function read(this: StatementSync) {
    if (isFailing && this.sourceSQL.includes("PASSIVE")) throw Object.assign(new Error("no"), { errcode: 10 })
    return Reflect.apply(get, this, [])
  })
  t.mock.timers.enable({ apis: ["setTimeout"] })
  growTo(10)
  await checkpoint.run()
  assert.deepEqual([await state(), reports], [[false, "checkpoint", 1], ["the disk reported an error"]])
  growTo(10 + framesMax - 1)
  assert.equal(checkpoint.isDue(), false)
  growTo(10 + framesMax)
  assert.equal(checkpoint.isDue(), true)
  await checkpoint.run()
  t.mock.timers.tick(4_999)
  assert.equal(checkpoint.isDue(), false)
  t.mock.timers.tick(1)
  assert.deepEqual([await state(), reports.length], [[true, "checkpoint", 1], 1])
  isFailing = false
  for (let n = 0; n < 2; n++) {
    await checkpoint.run()
    assert.deepEqual(
      [await state(), reports],
      [
        [false, 0],
        ["the disk reported an error", undefined],
      ],
    )
  }
})

test("a log that is measured after its database was closed is a bug", () => {
  using directory = temporaryDirectory()
  const { checkpoint, writer } = openLog(join(directory.path, "petstore.db"))
  writer.close()
  assert.throws(checkpoint.position, /finalized|not open/)
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
