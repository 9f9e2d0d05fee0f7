import assert from "node:assert/strict"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { temporaryDirectory } from "../harness/directory.ts"

const megabyte = 1024 * 1024

test("pages freed by deleting are returned to the file system, except for a reserve, and the data stays intact", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  const name = "x".repeat(3000)
  for (let n = 0; n < 5; n++)
    await store.transaction(async (tx) => {
      for (let id = 1; id <= 1000; id++) await tx.pets.add([samplePet(n * 1000 + id, { name })])
    })
  await store.transaction(async (tx) => {
    for (let id = 1; id < 5000; id++) await tx.pets.remove(id)
  })
  assert.ok((await store.compact()) > 1000)
  assert.equal(await store.compact(), 0)
  assert.equal(JSON.parse((await store.pets.read(5000))?.json as string).name, name)
  await store.close()
  const { size } = statSync(file)
  assert.ok(size < 6 * megabyte, `${size} bytes`)
  using db = new DatabaseSync(file)
  assert.deepEqual(
    db
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => Object.values(row)),
    [["ok"]],
  )
})

test("deleted data is no longer in the database file", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const store = openSqlite(file)
  const name = "Ada-Lovelace-ada@example.com".repeat(20)
  await store.transaction(async (tx) => {
    for (let id = 1; id <= 200; id++) await tx.pets.add([samplePet(id, { name })])
  })
  await store.transaction(async (tx) => {
    for (let id = 1; id <= 200; id++) await tx.pets.remove(id)
  })
  await store.close()
  assert.ok(!readFileSync(file).includes("ada@example.com"))
})
