import assert from "node:assert/strict"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { openSqliteReader } from "./reader.ts"
import { updateSchema } from "./schema.ts"

test("a reader reads what is there, and creates no file", () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  assert.throws(() => openSqliteReader(file), { errcode: 14 })
  writeFileSync(file, "")
  {
    using db = new DatabaseSync(file)
    updateSchema(db, 0)
  }
  using reader = openSqliteReader(file)
  assert.equal(reader.pets.read(1), undefined)
  assert.deepEqual(readdirSync(directory.path), ["petstore.db"])
})
