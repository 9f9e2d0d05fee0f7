import assert from "node:assert/strict"
import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { tablesIn } from "../../../test/harness/tables.ts"
import { describeDatabase, findDamage } from "./description.ts"
import { migrateSqlite } from "./open.ts"

test("a file is created or migrated to the newest version, of which its description tells", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const { from, to } = await migrateSqlite(file)
  assert.equal(from, 0)
  assert.deepEqual(await migrateSqlite(file), { from: to, to })
  const { id, schemaVersion, rows } = describeDatabase(file)
  assert.deepEqual([schemaVersion, rows.pets, rows.audit_head], [to, 0, 1])
  using db = new DatabaseSync(file)
  assert.equal(id, db.prepare("SELECT id FROM identity").get()?.id)
  assert.deepEqual(findDamage(file), [])
  db.exec("PRAGMA foreign_keys = OFF; INSERT INTO pet_tags VALUES (1, 's', 2); DELETE FROM identity")
  assert.deepEqual(findDamage(file), ["rows of pet_tags refer to rows of tags that are not there"])
  assert.deepEqual(findDamage(file, "quick_check"), findDamage(file))
  assert.equal(describeDatabase(file).id, null)
  db.exec("DROP TABLE identity")
  assert.equal(describeDatabase(file).id, null)
})

test("a database that is described, checked or read keeps the log that a killed process left", async () => {
  using directory = temporaryDirectory()
  const [file, left] = [join(directory.path, "petstore.db"), join(directory.path, "left.db")]
  await migrateSqlite(file)
  using writer = new DatabaseSync(file)
  writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO tags (id, name) VALUES (1, 'in the log')")
  for (const ending of ["", "-wal"]) cpSync(file + ending, left + ending)
  const filesOf = () => ["", "-wal"].map((ending) => readFileSync(left + ending))
  const before = filesOf()
  assert.equal(describeDatabase(left).rows.tags, 1)
  assert.deepEqual(filesOf(), before)
  assert.deepEqual(findDamage(left), [])
  assert.deepEqual(filesOf(), before)
  assert.deepEqual(tablesIn(left).find(({ name }) => name === "tags")?.rows, [[1, "in the log"]])
  assert.deepEqual(filesOf(), before)
})
