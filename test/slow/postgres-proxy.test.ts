import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { migratePostgres, openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { testCommits } from "../conformance/store/commits.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { testSharedTransactions } from "../conformance/store/shared-transactions.ts"
import { storeConformance } from "../conformance/store/suite.ts"
import { testTransactions } from "../conformance/store/transactions.ts"
import { renameDatabase } from "../harness/database.ts"
import { unlessThorough } from "../harness/effort.ts"
import { startPgbouncer, withoutPgbouncer } from "../harness/pgbouncer.ts"
import { type PostgresServer, startPostgres } from "../harness/postgres.ts"

describe("behind PgBouncer", { skip: withoutPgbouncer }, () => {
  let server: PostgresServer
  let migrated: string
  let proxy: Awaited<ReturnType<typeof startPgbouncer>>
  let sessions: typeof proxy
  before(async () => {
    server = await startPostgres()
    migrated = await server.createDatabase()
    await migratePostgres(migrated)
    proxy = await startPgbouncer(server.url)
    sessions = await startPgbouncer(server.url, { mode: "session", poolSize: 40 })
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await sessions[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  /** The URL of a new database through the proxy. */
  async function createDatabase(through = proxy): Promise<string> {
    const url = await server.createDatabase(migrated)
    await renameDatabase(url)
    return through.urlOf(url)
  }

  test("the service refuses to start until the URL states whether the proxy supports prepared statements", async () => {
    const url = await createDatabase()
    await assert.rejects(openPostgres(url, { connections: 4 }), /leads to a proxy such as PgBouncer.*prepare=off/)
    const store = await openPostgres(`${url}?prepare=off`, { connections: 4 })
    await store.transaction((tx) => tx.pets.add([samplePet(1)]))
    assert.ok(await store.pets.read(1))
    await store.close()
  })

  test("timeouts of a transaction apply to that transaction only", async () => {
    const url = await createDatabase()
    const store = await openPostgres(`${url}?prepare=off`, { connections: 4 })
    await Promise.all(Array.from({ length: 8 }, (_, n) => store.transaction((tx) => tx.pets.add([samplePet(n + 1)]))))
    const client = new Client({ connectionString: url })
    await client.connect()
    for (const name of ["statement_timeout", "lock_timeout"])
      assert.deepEqual((await client.query(`SHOW ${name}`)).rows, [{ [name]: "0" }])
    await client.end()
    await store.close()
  })

  const openInTransactions = async () => openPostgres(`${await createDatabase()}?prepare=off`, { connections: 8 })

  describe("in transaction mode, what depends on the state of a session:", () => {
    testTransactions(openInTransactions)
    testSharedTransactions(openInTransactions)
    testCommits(openInTransactions)
  })

  describe("every question to the store", { skip: unlessThorough }, () => {
    storeConformance("PostgreSQL behind PgBouncer in transaction mode", openInTransactions)
    storeConformance("PostgreSQL behind PgBouncer in session mode", async () =>
      openPostgres(`${await createDatabase(sessions)}?prepare=on`, { connections: 8 }),
    )
  })
})
