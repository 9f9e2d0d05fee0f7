import assert from "node:assert/strict"
import { readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { openDisk } from "./disk.ts"

const openFiles = (): number => readdirSync("/proc/self/fd").length

test("the files of a database are flushed under their real names, and closed at the end", async () => {
  using directory = temporaryDirectory()
  const link = join(directory.path, "link.db")
  symlinkSync(join(directory.path, "real.db"), link)
  using db = new DatabaseSync(link)
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
  const before = openFiles()
  const { syncLog, syncDatabase, close } = openDisk(db)
  assert.equal(openFiles(), before + 2)
  await syncLog()
  await syncDatabase()
  const during = openFiles()
  close()
  assert.equal(openFiles(), during - 2)
})

test("a database without a log is no disk to flush", () => {
  using directory = temporaryDirectory()
  using db = new DatabaseSync(join(directory.path, "plain.db"))
  db.exec("CREATE TABLE t (x)")
  assert.throws(() => openDisk(db), { code: "ENOENT" })
})
