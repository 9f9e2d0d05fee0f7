import assert from "node:assert/strict"
import { mkdirSync, writeFileSync } from "node:fs"
import files from "node:fs/promises"
import { dirname, join } from "node:path"
import { test } from "node:test"
import { applyToImports } from "../../../../test/harness/builtins.ts"
import { temporaryDirectory } from "../../../../test/harness/directory.ts"
import { readConfig } from "../../../config.ts"
import { checkDataDirectory, describeSpace } from "./check-data.ts"

const correct = "Correct the setting, or make the directory writable for the service's user"

test("the data directory, which may not exist yet, is named with its free space; a database on a server has none", async (t) => {
  using directory = temporaryDirectory()
  t.mock.method(files, "statfs", async () => ({ bavail: 3 * 2 ** 20, bsize: 4096 }))
  applyToImports(t)
  const onServer = {
    PETSTORE_DATABASE_URL: "postgres://db/petstore",
    PETSTORE_SECRET_KEY: Buffer.alloc(32).toString("base64"),
  }
  const file = join(directory.path, "not", "yet", "petstore.db")
  assert.deepEqual(await checkDataDirectory({ readConfig: () => readConfig({ PETSTORE_DATA_DIR: dirname(file) }) }), {
    finding: { about: "data", found: `a service started here uses ${file}, 12.0 GiB free` },
    isUsable: true,
  })
  assert.deepEqual(await checkDataDirectory({ readConfig: () => readConfig(onServer) }), {
    finding: { about: "data", found: "a service started here uses the server in PETSTORE_DATABASE_URL" },
    isUsable: true,
  })
})

test("settings and directories that cannot be used are a problem", async () => {
  using directory = temporaryDirectory()
  const wrong = await checkDataDirectory({ readConfig: () => readConfig({ PETSTORE_PORT: "x" }) })
  assert.deepEqual([wrong.isUsable, wrong.finding.advice], [false, correct])
  assert.match(wrong.finding.found, /^PETSTORE_PORT is "x"/)
  writeFileSync(join(directory.path, "file"), "")
  mkdirSync(join(directory.path, "directory"))
  const { finding, isUsable } = await checkDataDirectory({
    readConfig: () => readConfig({ PETSTORE_DATA_DIR: join(directory.path, "file", "below") }),
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
