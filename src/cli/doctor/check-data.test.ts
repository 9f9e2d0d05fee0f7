import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import files from "node:fs/promises"
import { join } from "node:path"
import { test } from "node:test"
import { applyToImports } from "../../../test/harness/builtins.ts"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { checkData, checkDataDirectory, describeSpace } from "./check-data.ts"

const correct = "Correct the setting, or make the directory writable for the service's user"

test("the data directory, which may not exist yet, is named with its free space; a database on a server has none", async (t) => {
  using directory = temporaryDirectory()
  t.mock.method(files, "statfs", async () => ({ bavail: 3 * 2 ** 20, bsize: 4096 }))
  applyToImports(t)
  const file = join(directory.path, "not", "yet", "petstore.db")
  assert.deepEqual(await checkDataDirectory({ databaseFile: () => file }), {
    finding: { about: "data", found: `a service started here uses ${file}, 12.0 GiB free` },
    isUsable: true,
  })
  assert.deepEqual(await checkDataDirectory({ databaseFile: () => undefined }), {
    finding: { about: "data", found: "a service started here uses the server in PETSTORE_DATABASE_URL" },
    isUsable: true,
  })
})

test("settings and directories that cannot be used are a problem", async () => {
  using directory = temporaryDirectory()
  const wrong = () => {
    throw new Error("PETSTORE_PORT is wrong")
  }
  assert.deepEqual(await checkDataDirectory({ databaseFile: wrong }), {
    finding: { about: "data", found: "PETSTORE_PORT is wrong", advice: correct },
    isUsable: false,
  })
  writeFileSync(join(directory.path, "file"), "")
  mkdirSync(join(directory.path, "directory"))
  const { finding, isUsable } = await checkDataDirectory({
    databaseFile: () => join(directory.path, "file", "below", "petstore.db"),
  })
  assert.deepEqual([isUsable, finding.advice], [false, correct])
  assert.match(finding.found, /^ENOTDIR: /)
})

test("less than a GiB of free space is a problem", () => {
  assert.deepEqual(describeSpace("a.db", 1024 ** 3), { found: "a service started here uses a.db, 1.0 GiB free" })
  assert.deepEqual(describeSpace("a.db", 1024 ** 3 - 1), {
    found: "a service started here uses a.db, 1.0 GiB free",
    advice: "Free some space, or choose another directory with PETSTORE_DATA_DIR",
  })
  assert.match(describeSpace("a.db", 2.54 * 1024 ** 3).found, / 2\.5 GiB free$/)
})

test("the findings about the data are those of the service or of its files, and a refusal is one", async () => {
  const schema = { about: "schema", found: "version 3" }
  assert.deepEqual(await checkData({ administer: async () => ({ findings: [schema] }) }), [schema])
  assert.deepEqual(await checkData({ administer: async () => ({}) }), [])
  assert.deepEqual(await checkData({ administer: async () => ({ error: "It failed" }) }), [
    { about: "schema", found: "It failed", advice: "See the service's log" },
  ])
  const damaged = () => Promise.reject(new CannotStart("The database is damaged"))
  assert.deepEqual(await checkData({ administer: damaged }), [
    {
      about: "database",
      found: "The database is damaged",
      advice: 'See "Damaged and missing files" in docs/operations.md',
    },
  ])
  await assert.rejects(checkData({ administer: () => Promise.reject(new Error("a bug")) }), new Error("a bug"))
})
