// Runs beside two other files at most.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { type Database, OutcomeUnknown, StoreUnavailable } from "../../src/core/domain/ports/store.ts"
import { steadyClock } from "../../src/core/kernel/clock.ts"
import { metricsReader } from "../../src/core/observability/metrics.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { samplePet } from "../conformance/store/samples.ts"
import { settingsFor } from "../harness/database.ts"
import { samplesIn, sumOf } from "../harness/metrics.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { reportEffort } from "../harness/report-effort.ts"

/** Maximum time for a connection to end, on a busy machine. */
const patienceMs = 30_000
const isCommitWaiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = current_database()"
/** Terminates the connections to a database whose commits wait for a standby. */
const endCommits = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND datname = $1`

describe("when PostgreSQL fails", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  let migrated: string
  before(async () => {
    server = await startPostgres({ durable: true })
    migrated = await server.createDatabase()
    await (await openPostgres(migrated, { connections: 2 })).close()
  })
  after(() => server[Symbol.asyncDispose]())

  /** A store on a new database, and a separate connection to that database. */
  async function open(parameters = "", connections = 6) {
    const url = await server.createDatabase(migrated)
    const store = await openPostgres(url + parameters, { connections })
    const other = new Client({ connectionString: url })
    other.on("error", () => {})
    await other.connect()
    return {
      store,
      other,
      /** Terminates all other connections at the server and waits until they have ended. */
      terminate: () =>
        other.query(
          `SELECT pg_terminate_backend(pid, ${patienceMs}) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        ),
      async [Symbol.asyncDispose]() {
        await other.end().catch(() => {})
        await store.close()
      },
    }
  }
  /** Makes commits wait for a standby that does not exist, until disposed of. */
  async function expectStandby({ other, terminate }: Awaited<ReturnType<typeof open>>): Promise<AsyncDisposable> {
    await other.query("SET synchronous_commit = local")
    await other.query("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
    await other.query("SELECT pg_reload_conf()")
    // The server applies the setting asynchronously: wait until a commit waits.
    const probe = new Client({ connectionString: urlOf(other) })
    probe.on("error", () => {})
    await probe.connect()
    const probing = (async () => {
      for (;;) await probe.query("SELECT pg_logical_emit_message(true, '', '')")
    })()
    while ((await other.query(isCommitWaiting)).rowCount === 0);
    await Promise.all([terminate(), assert.rejects(probing)])
    return {
      async [Symbol.asyncDispose]() {
        await other.query("ALTER SYSTEM RESET synchronous_standby_names")
        await other.query("SELECT pg_reload_conf()")
      },
    }
  }
  const urlOf = ({ database }: Client) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  const add = (store: Database, id: number) => store.transaction((tx) => tx.pets.add([samplePet(id)]))

  test("connections that die while idle cause no error", async () => {
    await using opened = await open()
    const { store, terminate } = opened
    const work = () => Promise.all(Array.from({ length: 8 }, (_, n) => [store.pets.read(n), add(store, n)]).flat())
    await work()
    for (let n = 0; n < 3; n++) {
      await terminate()
      await work()
    }
  })

  test("a transaction whose connection is killed runs again on another connection, and takes effect once", async () => {
    await using opened = await open()
    const { store, terminate } = opened
    let runs = 0
    await store.transaction(async (tx) => {
      await tx.events.add("pet.created", { id: 1, name: "p", status: "available" }, 1)
      if (++runs === 1) await terminate()
      await tx.pets.add([samplePet(1)])
    })
    assert.equal(runs, 2)
    assert.equal((await store.events.after(0, 10)).length, 1)
    assert.ok(await store.pets.read(1))
  })

  test("a transaction whose connection is killed during the commit does not run again", async () => {
    await using opened = await open()
    const { store, other, terminate } = opened
    // A commit that waits for the standby is already durable on the primary when it is killed.
    await using _ = await expectStandby(opened)
    let runs = 0
    const adding = store.transaction(async (tx) => {
      runs++
      await tx.events.add("pet.created", { id: 1, name: "p", status: "available" }, 1)
    })
    const refused = assert.rejects(adding, OutcomeUnknown)
    while ((await other.query(isCommitWaiting)).rowCount === 0);
    await terminate()
    await refused
    assert.equal(runs, 1)
    assert.equal((await store.events.after(0, 10)).length, 1)
  })

  test("a commit that the synchronous standby has not confirmed is never acknowledged", async () => {
    await using opened = await open("?statement_timeout=1000&query_timeout=2500")
    const { store } = opened
    await using _ = await expectStandby(opened)
    await assert.rejects(add(store, 1), OutcomeUnknown)
    assert.equal(await store.pets.read(1), undefined)
  })

  test("transactions in a deadlock both complete", async () => {
    await using opened = await open()
    const { store } = opened
    await add(store, 1)
    await add(store, 2)
    let runs = 0
    const bothLocked = Promise.withResolvers<void>()
    const lockBoth = (first: number, second: number) =>
      store.transaction(async (tx) => {
        await tx.pets.lock(first)
        if (++runs === 2) bothLocked.resolve()
        await bothLocked.promise
        const locked = await tx.pets.lock(second)
        assert.ok(locked)
        await tx.pets.put({ ...locked.pet, name: `${locked.pet.name}+` }, locked.pet)
      })
    await Promise.all([lockBoth(1, 2), lockBoth(2, 1)])
    assert.ok(runs > 2, "one of them rolled back")
    for (const id of [1, 2]) assert.match((await store.pets.read(id))?.json ?? "", /\+/)
  })

  test("a transaction that exceeds a lock or statement timeout fails with StoreUnavailable, and is counted", async () => {
    for (const [parameters, reason] of [
      ["?lock_timeout=200", "lock_not_available"],
      ["?lock_timeout=0&statement_timeout=1000", "query_canceled"],
    ] as const) {
      await using opened = await open(parameters)
      const { store, other } = opened
      await add(store, 1)
      await other.query("BEGIN")
      await other.query("SELECT 1 FROM pets FOR UPDATE")
      await assert.rejects(
        store.transaction((tx) => tx.pets.lock(1)),
        (error) => error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown),
      )
      const { text } = await metricsReader(store.metrics ?? [], "", steadyClock)()
      assert.ok(sumOf(samplesIn(text), "petstore_database_cancellations_total", { reason }) > 0)
      await other.query("ROLLBACK")
      assert.ok(await store.transaction((tx) => tx.pets.lock(1)))
    }
  })

  test("the number of waiting transactions is limited, and closing waits for active ones", async () => {
    const opened = await open("", 2)
    const { store } = opened
    const free = Promise.withResolvers<void>()
    const first = store.transaction(async (tx) => {
      await free.promise
      await tx.pets.add([samplePet(5_000)])
    })
    const waiting = Array.from({ length: 1_020 }, (_, n) => add(store, n + 1))
    const settled = Promise.allSettled(waiting)
    for (const refused of waiting.slice(1_000))
      await assert.rejects(refused, (error) => {
        assert.ok(error instanceof StoreUnavailable)
        return /too many transactions are waiting/.test(error.message)
      })
    const closed = opened[Symbol.asyncDispose]()
    free.resolve()
    await first
    await closed
    // Transactions that got no connection in time have failed with StoreUnavailable.
    for (const outcome of await settled)
      assert.ok(outcome.status === "fulfilled" || outcome.reason instanceof StoreUnavailable)
  })

  test("a server restarted under load loses nothing it has confirmed, and no client sees an internal error", async (t) => {
    await using opened = await open()
    const { store } = opened
    const confirmed: number[] = []
    let next = 1
    let isDone = false
    const client = async () => {
      while (!isDone) {
        const id = next++
        try {
          await add(store, id)
          confirmed.push(id)
          await store.pets.read(id)
        } catch (error) {
          assert.ok(error instanceof StoreUnavailable, String((error as Error).stack))
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
    }
    const clients = Array.from({ length: 8 }, client)
    const waitForProgress = async (to: number) => {
      while (confirmed.length < to) await new Promise((resolve) => setImmediate(resolve))
    }
    for (const mode of ["fast", "immediate"] as const) {
      await waitForProgress(confirmed.length + 50)
      await server.stop(mode)
      await server.start()
      await waitForProgress(confirmed.length + 50)
    }
    isDone = true
    await Promise.all(clients)
    for (const id of confirmed) assert.ok(await store.pets.read(id), `pet ${id}`)
    reportEffort(t, { kills: 2, "in flight": clients.length, acknowledged: confirmed.length })
  })

  test("clients of a service whose database server is restarted see success, or 503 with Retry-After", async (t) => {
    const env = settingsFor(await server.createDatabase())
    await using petstore = await startPetstore({ env })
    const headers = { api_key: "special-key", "content-type": "application/json" }
    const statuses = new Map<number, number>()
    let isDone = false
    const countStatus = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${petstore.url}/api/v3${path}`, { headers, ...init })
      assert.ok(response.ok || response.headers.has("retry-after"), `${response.status} ${await response.text()}`)
      await response.bytes().catch(() => {})
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
    const body = JSON.stringify({ name: "Rex", photoUrls: [] })
    const clients = Array.from({ length: 6 }, async (_, n) => {
      for (; !isDone; await new Promise((resolve) => setTimeout(resolve, 2)))
        await (n % 2 ? countStatus("/pet/1") : countStatus("/pet", { method: "POST", body }))
    })
    const waitForProgress = async (status: number) => {
      const enough = (statuses.get(status) ?? 0) + 20
      while ((statuses.get(status) ?? 0) < enough) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await waitForProgress(200)
    await server.stop("immediate")
    await waitForProgress(503)
    await server.start()
    await waitForProgress(200)
    isDone = true
    await Promise.all(clients)
    const calls = [...statuses.values()].reduce((sum, times) => sum + times, 0)
    reportEffort(t, { kills: 1, "in flight": clients.length, calls })
    assert.deepEqual([...statuses.keys()].sort(), [200, 503])
  })

  for (const fate of ["is not confirmed by the standby", "loses its connection"])
    test(`a client whose commit ${fate} learns that the outcome is unknown, and a repeat creates one pet`, async () => {
      await using opened = await open()
      const url = new URL(await server.createDatabase())
      url.searchParams.set("query_timeout", "2500")
      await using petstore = await startPetstore({ env: settingsFor(url.href) })
      const create = async () => {
        const response = await fetch(`${petstore.url}/api/v3/pet`, {
          method: "POST",
          headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": "one" },
          body: JSON.stringify({ name: "twice", photoUrls: [] }),
        })
        return { response, body: (await response.json()) as { id: number; detail: string } }
      }
      {
        await using _ = await expectStandby(opened)
        const creating = create()
        let hasResponse = false
        void creating.finally(() => {
          hasResponse = true
        })
        if (fate === "loses its connection")
          while (!hasResponse) await opened.other.query(endCommits, [url.pathname.slice(1)])
        const { response, body } = await creating
        assert.equal(response.status, 503)
        assert.ok(response.headers.has("retry-after"))
        assert.match(body.detail, /not known whether the change was made.* the same Idempotency-Key/)
        assert.doesNotMatch(body.detail, /Nothing was changed/)
      }
      const { response, body } = await create()
      assert.equal(response.headers.get("idempotency-replayed"), "true")
      const { value } = await petstore.as("special-key").findPetsByStatus()
      assert.deepEqual(
        value.filter(({ name }) => name === "twice").map(({ id }) => id),
        [body.id],
      )
    })

  test("the service does not start with an unusable server, and the reason contains no password", async () => {
    const dead = openPostgres("postgres://me:hidden@127.0.0.1:9/petstore", { connections: 2, waitMs: 0 })
    await assert.rejects(dead, (error: Error) => {
      assert.match(error.message, /The database at 127.0.0.1:9\/petstore cannot be used: .*ECONNREFUSED/)
      return !error.message.includes("hidden")
    })
    const none = new URL(server.url)
    none.pathname = "/nowhere"
    await assert.rejects(openPostgres(none.href, { connections: 2, waitMs: 0 }), /database "nowhere" does not exist/)
  })

  test("a database of a newer version, or of another program, is refused unchanged", async () => {
    await using opened = await open()
    const { other } = opened
    const url = urlOf(other)
    await other.query("UPDATE schema_version SET version = version + 1")
    const before = await other.query("SELECT * FROM schema_version")
    await assert.rejects(openPostgres(url, { connections: 2 }), /It was written by a newer version of Petstore/)
    assert.deepEqual((await other.query("SELECT * FROM schema_version")).rows, before.rows)

    await other.query("DROP TABLE schema_version")
    await assert.rejects(openPostgres(url, { connections: 2 }), /tables of another program/)
  })
})
