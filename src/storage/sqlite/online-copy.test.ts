import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
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
  await copyDatabase(file, copy, (_done, all) => {
    if (++steps > 100) throw new Error("the copy restarts with every commit")
    total = all
    db.exec("INSERT INTO t VALUES (0, zeroblob(1000))")
  })
  assert.ok(steps > 2)
  assert.ok(total > 20_000_000)
  using copied = new DatabaseSync(copy, { readOnly: true })
  assert.deepEqual({ ...copied.prepare("SELECT count(*) AS n, min(n) AS least FROM t").get() }, { n: 20_000, least: 1 })
  assert.deepEqual({ ...copied.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" })
  assert.deepEqual(readdirSync(directory.path).sort(), ["a.db", "a.db-shm", "a.db-wal", "copy.db"])
})
