import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
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
