import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { CannotStart } from "../../../core/kernel/cannot-start.ts"
import { migrations } from "../../../core/sql/migrations.ts"
import { migrateSqlite } from "../../../core/sqlite/open.ts"
import { openStopped } from "./stopped.ts"

test("the database of a stopped service is read with its version and its damage", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  await assert.rejects(openStopped({ kind: "sqlite", file }), CannotStart)
  await migrateSqlite(file)
  const open = () => openStopped({ kind: "sqlite", file })
  const set = (text: string) => {
    using db = new DatabaseSync(file)
    db.exec(text)
  }
  {
    await using stopped = await open()
    assert.deepEqual([stopped.schema, stopped.damage], [migrations.length, []])
    assert.match(await stopped.repositories.origin.identity(), /^[\w-]+$/)
  }
  set("PRAGMA foreign_keys = OFF; INSERT INTO pet_tags VALUES (1, 's', 2)")
  {
    await using stopped = await open()
    assert.deepEqual(stopped.damage, ["rows of pet_tags refer to rows of tags that are not there"])
  }
  set(`PRAGMA user_version = ${migrations.length - 1}`)
  {
    await using stopped = await open()
    assert.equal(stopped.schema, migrations.length - 1)
  }
  for (const version of [migrations.length + 1, -1]) {
    set(`PRAGMA user_version = ${version}`)
    await assert.rejects(open(), CannotStart)
  }
})
