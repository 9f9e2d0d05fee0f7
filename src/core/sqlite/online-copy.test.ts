import assert from "node:assert/strict"
import { copyFileSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { copyDatabase } from "./online-copy.ts"

test("a copy ends despite continuous commits, and holds the state at its start", async () => {
  using directory = temporaryDirectory()
  const [file, copy] = [join(directory.path, "a.db"), join(directory.path, "copy.db")]
  using db = new DatabaseSync(file)
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (n INTEGER, filler BLOB)")
  db.exec(
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) INSERT INTO t SELECT n, zeroblob(1000) FROM c",
  )

  let steps = 0
  let total = 0
  let copied = 0
  await copyDatabase(file, copy, (done, all) => {
    if (++steps > 100) throw new Error("the copy restarts with every commit")
    assert.ok(done > copied && done < all, `${done} of ${all} after ${copied}`)
    copied = done
    total = all
    db.exec("INSERT INTO t VALUES (0, zeroblob(1000))")
  })
  assert.ok(steps > 2)
  assert.ok(total > 20_000_000)
  using target = new DatabaseSync(copy, { readOnly: true })
  assert.deepEqual({ ...target.prepare("SELECT count(*) AS n, min(n) AS least FROM t").get() }, { n: 20_000, least: 1 })
  assert.deepEqual({ ...target.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" })
  assert.deepEqual(readdirSync(directory.path).sort(), ["a.db", "a.db-shm", "a.db-wal", "copy.db"])
})

test("a copy needs no log, and its source with a log that no process uses stays as it is", async () => {
  using directory = temporaryDirectory()
  const [file, left, copy] = ["a.db", "left.db", "copy.db"].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ]
  using db = new DatabaseSync(file)
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)")
  for (const suffix of ["", "-wal"]) copyFileSync(file + suffix, left + suffix)
  const contents = () => ["", "-wal"].map((suffix) => readFileSync(left + suffix))
  const before = contents()
  await copyDatabase(left, copy, () => undefined)
  assert.deepEqual(contents(), before)
  using copied = new DatabaseSync(copy, { readOnly: true })
  const about = "SELECT journal_mode AS mode, (SELECT count(*) FROM t) AS rows FROM pragma_journal_mode"
  assert.deepEqual({ ...copied.prepare(about).get() }, { mode: "delete", rows: 1 })
  const absent = join(directory.path, "absent.db")
  await assert.rejects(
    copyDatabase(absent, copy, () => undefined),
    new CannotStart(`There is no database at ${absent}. PETSTORE_DATA_DIR says where it is.`),
  )
  await assert.rejects(
    copyDatabase(file, directory.path, () => undefined),
    CannotStart,
  )
})
