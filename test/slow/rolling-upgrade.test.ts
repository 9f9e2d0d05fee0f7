// Runs beside two other files at most.
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import { Client } from "pg"
import { migrations } from "../../src/core/sql/migrations.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { startCluster, withoutCluster } from "../harness/cluster.ts"
import { makeNewerVersion } from "../harness/newer-version.ts"
import { startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { queryValues } from "../harness/replicated-postgres.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { runPetstore, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"
import { startWriters } from "../harness/writers.ts"

const run = promisify(execFile)
const migrate = async ({ path }: { path: string }, settings: NodeJS.ProcessEnv) =>
  (await run(process.execPath, [join(path, "src", "cli", "main.ts"), "migrate"], { env: settings })).stdout
const replicas = 2
const next = migrations.length + 1
const expanding = [
  "ALTER TABLE pets ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
  "CREATE TABLE moods (name TEXT NOT NULL PRIMARY KEY)",
]

test("old and new replicas serve the same database during a migration, and no request is lost", {
  skip: withoutCluster,
}, async (t) => {
  using newer = makeNewerVersion(expanding)
  await using cluster = await startCluster({ replicas })
  await using started = new AsyncDisposableStack()
  const { settings } = cluster
  await using writing = startWriters(cluster, 8)
  const waitForWrites = async () => {
    const before = writing.pets.size
    await until(() => writing.pets.size > before + 100, "no further write is acknowledged")
  }
  await waitForWrites()

  assert.match(
    await migrate(newer, settings),
    new RegExp(`was migrated from schema version ${migrations.length} to ${next}\n$`),
  )
  await waitForWrites()
  for (const old of cluster.replicas) {
    const { value } = await old.as("special-key").findPetsByStatus({ query: { limit: 5 } })
    assert.equal(value.length, 5)
  }
  const { code, stderr } = await runPetstore({ env: settings })
  assert.equal(code, 1)
  assert.match(stderr, /schema version \d+, .*written by a newer version of Petstore/)

  for (const old of cluster.replicas.slice()) {
    cluster.replicas.push(started.use(await spawnPetstore({ tree: newer.path, env: settings })))
    await waitForWrites()
    assert.deepEqual(await old.kill("SIGTERM"), { code: 0, signal: null })
    cluster.replicas.splice(cluster.replicas.indexOf(old), 1)
    await waitForWrites()
  }
  await writing.stop()

  await writing.verify()
  const [calm] = await queryValues(settings.PETSTORE_DATABASE_URL, "SELECT count(*)::int FROM pets WHERE mood = 'calm'")
  assert.ok((calm as number) >= writing.pets.size)
  reportEffort(t, { ...writing.effort(), "replaced replicas": replicas })
})

test("a migration that waits for a table lock does not block other clients", {
  skip: withoutPostgres,
}, async () => {
  using newer = makeNewerVersion(expanding)
  await using server = await startPostgres()
  const url = await server.createDatabase()
  const store = await openPostgres(url, { connections: 4 })
  await store.transaction((tx) => tx.pets.add([samplePet(1)]))
  const dump = new Client({ connectionString: url })
  await dump.connect()
  await dump.query("BEGIN")
  await dump.query("SELECT 1 FROM pets")

  const migrated = migrate(newer, { PETSTORE_DATABASE_URL: url })
  const isWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'ALTER TABLE pets%'"
  for (let n = 0; n < 2; n++) {
    await until(async () => (await queryValues(server.url, isWaiting)).length > 0, "the migration does not wait")
    assert.ok(await store.pets.read(1))
    await until(
      async () => (await queryValues(server.url, isWaiting)).length === 0,
      "the migration does not release its place in the lock queue",
    )
  }
  await dump.query("COMMIT")
  assert.match(await migrated, new RegExp(`to ${next}\n$`))
  await dump.end()
  await store.close()
})
