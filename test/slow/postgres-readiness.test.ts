// Runs beside two other files at most.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { settingsFor } from "../harness/database.ts"
import { lossyProxy } from "../harness/lossy-proxy.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { until } from "../harness/until.ts"

describe("/readyz on PostgreSQL", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres({ durable: true })
  })
  after(() => server[Symbol.asyncDispose]())

  /** A service on a new database, and a separate connection to that database. */
  async function open() {
    const url = await server.createDatabase()
    const petstore = await startPetstore({ env: settingsFor(url) })
    const other = new Client({ connectionString: url })
    other.on("error", () => {})
    await other.connect()
    return {
      petstore,
      other,
      readReadiness: async () => {
        const response = await fetch(`${petstore.url}/readyz`)
        return { status: response.status, detail: ((await response.json()) as { detail?: string }).detail ?? "" }
      },
      async [Symbol.asyncDispose]() {
        await other.end().catch(() => {})
        await petstore[Symbol.asyncDispose]()
      },
    }
  }

  test("while the database is read-only /readyz is 503 with the reason, without a write; reads succeed", async () => {
    await using opened = await open()
    const { petstore, other, readReadiness } = opened
    const { rows } = await other.query("SELECT current_database() AS name")
    const setReadOnly = async (value: "on" | "off") => {
      await other.query(`ALTER DATABASE ${rows[0].name} SET default_transaction_read_only = ${value}`)
      await other.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      )
    }
    assert.equal((await readReadiness()).status, 200)

    await setReadOnly("on")
    // The first 503 may be caused by the terminated connections.
    const readOnly = "Nothing can be written: the database is a standby or read-only. Reads continue"
    await until(async () => (await readReadiness()).detail === readOnly, "readiness does not report that writes fail")
    const caller = petstore.as("special-key")
    assert.equal((await caller.getPetById({ params: { petId: 1 } })).value.id, 1)
    await assert.rejects(caller.addPet({ body: { name: "Rex", photoUrls: [] } }), refusedAs("unavailable"))

    await other.query("SET default_transaction_read_only = off")
    await setReadOnly("off")
    await until(
      async () => (await readReadiness()).status === 200,
      "readiness does not report that writes succeed again",
    )
  })

  test("while the database is unreachable /readyz is 503 with the reason, and 200 as soon as it is back", async () => {
    await using opened = await open()
    const { readReadiness } = opened
    await server.stop("immediate")
    const { status, detail } = await readReadiness()
    assert.equal(status, 503)
    assert.match(detail, /^Storage did not respond: the database cannot be reached/)
    await server.start()
    await until(
      async () => (await readReadiness()).status === 200,
      "readiness does not report that the database is back",
    )
  })

  test("while the database does not respond /readyz is 503 before a load balancer times out", async () => {
    await using opened = await open()
    const { other, readReadiness } = opened
    await other.query("BEGIN")
    await other.query("LOCK TABLE accounts")
    const startedAt = performance.now()
    assert.deepEqual(await readReadiness(), {
      status: 503,
      detail: "Storage did not respond: the database does not respond. Nothing was changed.",
    })
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 3_000, `${tookMs} ms`)
    await other.query("ROLLBACK")
    assert.equal((await readReadiness()).status, 200)
  })

  test("while the database says nothing, requests are refused at once after the first seconds, and served as soon as it responds", async () => {
    const url = new URL(await server.createDatabase())
    await using proxy = await lossyProxy(Number(url.port))
    url.port = String(proxy.port)
    await using petstore = await startPetstore({ env: settingsFor(url.href) })
    const caller = petstore.as("special-key")
    await caller.getPetById({ params: { petId: 1 } })

    proxy.lose(true)
    const first = Promise.allSettled([
      caller.getPetById({ params: { petId: 2 } }),
      caller.addPet({ body: { name: "unknown", photoUrls: [] } }),
    ])
    const quickMs = 500
    const statusWithin = async (path: string, init: RequestInit) => {
      const signal = AbortSignal.timeout(quickMs)
      const headers = { api_key: "special-key", "content-type": "application/json" }
      return fetch(petstore.url + path, { ...init, headers, signal }).then(
        ({ status }) => status,
        () => "waits",
      )
    }
    const create = { method: "POST", body: '{"name":"refused","photoUrls":[]}' }
    await until(async () => (await statusWithin("/api/v3/pet/3", {})) === 503, "reads are not refused at once")
    for (let n = 0; n < 10; n++) {
      assert.equal(await statusWithin(`/api/v3/pet/${n + 1}`, {}), 503)
      assert.equal(await statusWithin("/api/v3/pet", create), 503)
      assert.equal(await statusWithin("/readyz", {}), 503)
    }

    proxy.lose(false)
    await until(async () => (await statusWithin("/readyz", {})) === 200, "the service does not recover")
    await until(async () => (await statusWithin("/api/v3/pet", create)) === 200, "writes do not recover")
    for (const { status } of await first) assert.equal(status, "rejected")
    const names = (await caller.listPets({ query: { limit: 1000 } })).value.map(({ name }) => name)
    assert.equal(names.filter((name) => name === "refused").length, 1)
  })

  test("a statement that waits for a lock is no silence: other requests are served", async () => {
    await using opened = await open()
    const { petstore, other } = opened
    const caller = petstore.as("special-key")
    await other.query("BEGIN")
    await other.query("SELECT id FROM pets WHERE id = 1 FOR UPDATE")
    const waiting = caller.patchPet({ params: { petId: 1 }, body: { name: "later" } })
    const startedAt = performance.now()
    while (performance.now() - startedAt < 4_000) await caller.getPetById({ params: { petId: 2 } })
    await other.query("ROLLBACK")
    assert.equal((await waiting).value.name, "later")
  })
})
