import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import { migrations } from "../../src/core/sql/migrations.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { inherited } from "../harness/spawn.ts"

const run = promisify(execFile)
const migrate = async (database: string, dataDir: string) => {
  const env = { ...inherited, PETSTORE_DATABASE_URL: database, PETSTORE_DATA_DIR: dataDir }
  return run(join(import.meta.dirname, "..", "..", "bin", "petstore"), ["migrate"], { env })
}

async function assertMigrates(database: string, name: string): Promise<void> {
  using directory = temporaryDirectory()
  const first = await migrate(database, directory.path)
  assert.equal(first.stdout, `${name} was migrated from schema version 0 to ${migrations.length}\n`)
  assert.equal(
    (await migrate(database, directory.path)).stdout,
    `${name} already has schema version ${migrations.length}\n`,
  )
}

test("petstore migrate creates or migrates a database file and reports it", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  await assertMigrates(`sqlite:${file}`, file)
})

test("petstore migrate migrates a PostgreSQL database, and fails with a reason", {
  skip: withoutPostgres,
}, async () => {
  await using server = await startPostgres()
  const url = await server.createDatabase()
  await assertMigrates(url, `PostgreSQL at ${new URL(url).host}`)
  const nowhere = Object.assign(new URL(url), { pathname: "/nowhere" }).href
  await assert.rejects(
    migrate(nowhere, "/nonexistent"),
    /petstore: The database at .*\/nowhere cannot be used: .*does not exist/,
  )
})
