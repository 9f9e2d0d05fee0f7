import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { settingsFor } from "../harness/database.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { until } from "../harness/until.ts"

describe("/readyz on PostgreSQL", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres({ durable: true })
  })
  after(() => server[Symbol.asyncDispose]())

  /** A service on a new database, and a connection of somebody else's to the same. */
  async function open() {
    const url = await server.createDatabase()
    const petstore = await startPetstore({ env: settingsFor(url) })
    const other = new Client({ connectionString: url })
    other.on("error", () => {})
    await other.connect()
    return {
      petstore,
      other,
      ask: async () => {
        const response = await fetch(`${petstore.url}/readyz`)
        return { status: response.status, detail: ((await response.json()) as { detail?: string }).detail ?? "" }
      },
      async [Symbol.asyncDispose]() {
        await other.end().catch(() => {})
        await petstore[Symbol.asyncDispose]()
      },
    }
  }

  test("while the database takes no writes it is 503 with the reason, without anybody writing; reads go on", async () => {
    await using opened = await open()
    const { petstore, other, ask } = opened
    const { rows } = await other.query("SELECT current_database() AS name")
    const setReadOnly = async (value: "on" | "off") => {
      await other.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = ${value}`)
      await other.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      )
    }
    assert.equal((await ask()).status, 200)

    await setReadOnly("on")
    // The first 503 may still be about the connections that were ended.
    const readOnly = "Nothing can be written: the database is a standby or read-only. Reads continue"
    await until(async () => (await ask()).detail === readOnly, "readiness does not say that writes fail")
    const caller = petstore.as("special-key")
    assert.equal((await caller.getPetById({ params: { petId: 1 } })).value.id, 1)
    await assert.rejects(caller.addPet({ body: { name: "Rex", photoUrls: [] } }), refusedAs("unavailable"))

    await other.query("SET default_transaction_read_only = off")
    await setReadOnly("off")
    await until(async () => (await ask()).status === 200, "readiness does not say that writes succeed again")
  })

  test("while the database is away it is 503 with the reason, and 200 as soon as it is back", async () => {
    await using opened = await open()
    const { ask } = opened
    await server.stop("immediate")
    const { status, detail } = await ask()
    assert.equal(status, 503)
    assert.match(detail, /^Storage did not respond: the database cannot be reached/)
    await server.start()
    await until(async () => (await ask()).status === 200, "readiness does not say that the database is back")
  })

  test("while the database does not respond it is 503 within the time a load balancer waits", async () => {
    await using opened = await open()
    const { other, ask } = opened
    await other.query("BEGIN")
    await other.query("LOCK TABLE accounts")
    const begun = performance.now()
    assert.deepEqual(await ask(), {
      status: 503,
      detail: "Storage did not respond: the database does not respond. Nothing was changed.",
    })
    const tookMs = performance.now() - begun
    assert.ok(tookMs < 3_000, `${tookMs} ms`)
    await other.query("ROLLBACK")
    assert.equal((await ask()).status, 200)
  })
})
