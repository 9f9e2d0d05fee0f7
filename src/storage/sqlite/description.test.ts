import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
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
