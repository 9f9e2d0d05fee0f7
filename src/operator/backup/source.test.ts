import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import type { Progress } from "../../../test/harness/small-backup.ts"
import { migrateSqlite } from "../../storage/sqlite/open.ts"
import { openSqliteCopy } from "./source.ts"

test("the copy of a database is reported in mebibytes, and without missing images it is described as it is", async () => {
  using directory = temporaryDirectory()
  const [file, draft] = [join(directory.path, "petstore.db"), join(directory.path, "draft.db")]
  await migrateSqlite(file)
  {
    using db = new DatabaseSync(file)
    db.exec("INSERT INTO tags (id, name) VALUES (1, printf('%.*c', 3670016, 'x'))")
  }
  const progress: Progress[] = []
  await using source = await openSqliteCopy(file, draft, (...step) => void progress.push(step))
  const mebibytes = statSync(file).size / 2 ** 20
  assert.ok(mebibytes > 3.5)
  assert.deepEqual(
    progress,
    Array.from({ length: Math.floor(mebibytes) }, (_, n) => ["database", n + 1, Math.ceil(mebibytes), "MiB"]),
  )
  assert.deepEqual(await source.withoutImages([]), { database: source.description, needed: new Set() })
})
