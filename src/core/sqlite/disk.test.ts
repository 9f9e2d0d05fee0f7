import assert from "node:assert/strict"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { cannotListOpenFiles, countAllOpen } from "../../../test/harness/open-files.ts"
import { openDisk } from "./disk.ts"

test("the files of a database are flushed under their real names, and closed at the end", async () => {
  using directory = temporaryDirectory()
  const link = join(directory.path, "link.db")
  symlinkSync(join(directory.path, "real.db"), link)
  using db = new DatabaseSync(link)
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
  const before = countAllOpen()
  const { syncLog, syncDatabase, close } = openDisk(db)
  const opened = cannotListOpenFiles ? 0 : 2
  assert.equal(countAllOpen(), before + opened)
  await syncLog()
  await syncDatabase()
  const during = countAllOpen()
  close()
  assert.equal(countAllOpen(), during - opened)
})

test("a database without a log is no disk to flush", () => {
  using directory = temporaryDirectory()
  using db = new DatabaseSync(join(directory.path, "plain.db"))
  db.exec("CREATE TABLE t (x)")
  assert.throws(() => openDisk(db), { code: "ENOENT" })
})
