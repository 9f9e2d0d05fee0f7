// Runs beside two other files at most.
import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client } from "pg"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { settingsFor } from "../harness/database.ts"
import { readMetrics, sumOf } from "../harness/metrics.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type PostgresServer, startPostgres, withoutPostgres } from "../harness/postgres.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { until } from "../harness/until.ts"

type Service = Awaited<ReturnType<typeof startPetstore>>
type Answer = { status: number; text: string; ms: number }

const plain = { name: "Rex", photoUrls: [] }
const named = { ...plain, category: { name: "new" }, tags: [{ name: "new" }], id: 4_000_000 }

describe("another transaction holds a row that one request needs", { skip: withoutPostgres }, () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgres()
  })
  after(() => server[Symbol.asyncDispose]())

  /** Two replicas, and a connection of another program to their database. */
  async function openReplicas() {
    await using opened = new AsyncDisposableStack()
    const url = await server.createDatabase()
    const other = opened.adopt(new Client({ connectionString: url }), (client) => client.end())
    await other.connect()
    const options = { env: { ...settingsFor(url), PETSTORE_DATABASE_CONNECTIONS: "20" }, replicas: { isAlone: false } }
    const replicas = [opened.use(await startPetstore(options)), opened.use(await startPetstore(options))] as const
    const kept = opened.move()
    return { url, replicas, other, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  }

  for (const [what, hold, body] of [
    ["a tag", "INSERT INTO tags (name) VALUES ('new')", { ...plain, tags: named.tags }],
    ["a category", "INSERT INTO categories (name) VALUES ('new')", { ...plain, category: named.category }],
    ["a chosen id", addPetWithId(named.id), { ...plain, id: named.id }],
    [
      "a tag that may be removed",
      "SELECT 1 FROM tags WHERE name = 'tag1' FOR UPDATE",
      { ...plain, tags: [{ name: "tag1" }] },
    ],
  ] as const)
    test(`a create that waits for ${what} delays no other create of its replica, or of another, by a second`, async () => {
      await using opened = await openReplicas()
      const { replicas, other } = opened
      const usualMs = await slowestOf(replicas, 50)
      await other.query(`BEGIN; ${hold}`)
      const waiting = replicas.map((replica) => create(replica, body))
      assert.deepEqual(await createMany(replicas, 49, usualMs), { statuses: { 200: 98 }, slow: 0 })
      await until(async () => (await waitingForRows(replicas[0])) === 1, "the create does not wait")
      await other.query("ROLLBACK")
      const statuses = (await Promise.all(waiting)).map(({ status }) => status)
      assert.deepEqual(statuses.sort(), what === "a chosen id" ? [200, 409] : [200, 200])
      await until(async () => (await waitingForRows(replicas[0])) === 0, "a create waits")
    })

  test("creates that wait for a row for too long are refused, and have changed nothing", async () => {
    await using opened = await openReplicas()
    const { replicas, other } = opened
    const [replica] = replicas
    const usualMs = await slowestOf([replica], 60)
    await other.query(`BEGIN; INSERT INTO tags (name) VALUES ('new')`)
    const waiting = Array.from({ length: 60 }, () => create(replica, { ...plain, tags: named.tags }))
    for (let n = 0; n < 10; n++)
      assert.deepEqual(await createMany([replica], 2, usualMs), { statuses: { 200: 2 }, slow: 0 })
    for (const { status, text, ms } of await Promise.all(waiting)) {
      assert.equal(status, 503)
      assert.match(text, /a row was locked for too long\. Nothing was changed/)
      assert.ok(ms < 10_000, `${ms} ms`)
    }
    await other.query("ROLLBACK")
    const cancelled = { reason: "lock_not_available" }
    assert.ok(sumOf(await readMetrics(replica), "petstore_database_cancellations_total", cancelled) >= 60)
    const pets = await other.query("SELECT count(*) AS pets FROM pets WHERE id > 10")
    assert.deepEqual(pets.rows, [{ pets: "80" }])
  })

  for (const [what, hold] of [
    ["the tag of an import, of a batch and of creates with a key", "INSERT INTO tags (name) VALUES ('new')"],
    ["the row of the account", "SELECT 1 FROM accounts FOR UPDATE"],
    ["the rows of all webhooks", "SELECT 1 FROM webhooks FOR UPDATE"],
  ] as const)
    test(`while another transaction holds ${what}, plain creates of the replica go on`, async () => {
      await using opened = await openReplicas()
      const { replicas, other } = opened
      const [replica] = replicas
      const key = replica.as("special-key")
      await key.createWebhook({ body: { url: "http://127.0.0.1:9/", events: ["pet.created"] } })
      const usualMs = await slowestOf([replica], 50)
      await other.query(`BEGIN; ${hold}`)
      const tagged = JSON.stringify({ ...plain, tags: named.tags })
      const waiting = [
        send(replica, "POST", "/pets/import", tagged, { "content-type": "application/x-ndjson" }),
        send(replica, "PATCH", "/pets", JSON.stringify([{ id: 1, tags: named.tags }])),
        ...["a", "b", "c"].map((key) => send(replica, "POST", "/pet", tagged, { "idempotency-key": key })),
      ]
      assert.deepEqual(await createMany([replica], 50, usualMs), { statuses: { 200: 50 }, slow: 0 })
      await other.query("ROLLBACK")
      for (const { status, text } of await Promise.all(waiting)) assert.ok(status < 300, text)
    })

  test("while another transaction changes webhooks, events reach the others within two seconds, and these afterwards, each once", async () => {
    await using opened = await openReplicas()
    const { replicas, other } = opened
    const key = replicas[0].as("special-key")
    const openWebhook = async (ordered: boolean) => {
      const receiver = await startReceiver()
      const body = { url: receiver.url, events: ["pet.created" as const, "pet.updated" as const], ordered }
      return { ...receiver, id: (await key.createWebhook({ body })).value.id }
    }
    await using free = await openWebhook(false)
    await using held = await openWebhook(false)
    await using ordered = await openWebhook(true)
    const first = JSON.parse((await create(replicas[0], plain)).text)
    for (const { until } of [free, held, ordered]) await until((received) => received.length === 1)

    await other.query(`BEGIN; SELECT 1 FROM webhooks WHERE id IN (${held.id}, ${ordered.id}) FOR NO KEY UPDATE`)
    for (let n = 1; n <= 10; n++) {
      const since = performance.now()
      await create(replicas[n % 2] as Service, plain)
      await send(replicas[0], "PATCH", `/pet/${first.id}`, JSON.stringify({ name: `${n}` }))
      await free.until((received) => received.length === 1 + 2 * n)
      const ms = Math.max(...free.received.map(({ at }) => at)) - since
      assert.ok(ms < 2_000, `${ms} ms`)
    }
    assert.deepEqual([held.received.length, ordered.received.length], [1, 1])
    await other.query("ROLLBACK")
    for (const { until, received } of [held, ordered]) {
      await until((received) => received.length >= 21)
      const idsOf = (all: typeof received) => all.map(({ headers }) => headers["webhook-id"]).sort()
      assert.deepEqual(idsOf(received), idsOf(free.received))
    }
    const bodies = ordered.received.map(({ body }) => JSON.parse(body))
    const names = bodies.flatMap(({ event, data }) => (event === "pet.updated" ? [data.name] : []))
    assert.deepEqual(names, [..."123456789", "10"])
  })

  test("a replica that stalls while it publishes stops the deliveries of another one for at most four seconds, and then publishes the rest", async () => {
    await using receiver = await startReceiver()
    await using opened = await openReplicas()
    const { url, replicas } = opened
    const [replica] = replicas
    await replica.as("special-key").createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await create(replica, plain)
    await receiver.until((received) => received.length === 1)

    const stalling = await openPostgres(url, { connections: 2 })
    const [hasStalled, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const published = stalling.transaction(async (tx) => {
      await tx.events.add("pet.created", { id: 1, name: "p", status: "available" }, 1)
      await tx.events.publish(1, 100)
      hasStalled.resolve()
      await goesOn.promise
      return tx.events.publish(1, 100)
    })
    await hasStalled.promise
    const since = performance.now()
    await create(replica, plain)
    await receiver.until((received) => received.length === 2)
    const ms = performance.now() - since
    assert.ok(ms > 1_000 && ms < 4_000, `${ms} ms`)
    goesOn.resolve()
    await published
    await receiver.until((received) => received.length === 3)
    await stalling.close()
  })

  test("ended attempts of a webhook whose row is locked leave most connections to requests, and are settled afterwards", async () => {
    await using receiver = await startReceiver()
    await using opened = await openReplicas()
    const { replicas, other } = opened
    const [replica] = replicas
    const key = replica.as("special-key")
    const webhook = { url: receiver.url, events: ["pet.created" as const] }
    const { id } = (await key.createWebhook({ body: webhook })).value
    const stateOfAll = async () =>
      (await key.listDeliveries({ params: { webhookId: id } })).value.map(({ state }) => state)
    // A receiver that has succeeded gets sixteen messages at once.
    await create(replica, plain)
    await until(async () => (await stateOfAll()).join() === "delivered", "the first event is not delivered")
    const held: (() => void)[] = []
    receiver.respond((_, response) => void held.push(() => response.writeHead(204).end()))
    await Promise.all(Array.from({ length: 30 }, () => create(replica, plain)))
    await receiver.until(() => held.length >= 16)
    await other.query(`BEGIN; SELECT 1 FROM webhooks WHERE id = ${id} FOR UPDATE`)
    for (const respond of held) respond()
    receiver.respond(respondWith(204))
    const usualMs = await slowestOf([replicas[1]], 20)
    assert.deepEqual(await createMany([replica], 20, usualMs), { statuses: { 200: 20 }, slow: 0 })
    const metrics = await readMetrics(replica)
    const busy = sumOf(metrics, "petstore_database_connections", { use: "transactions", state: "busy" })
    assert.ok(busy <= 8, `${busy} of 16 connections`)
    const all = [...metrics, ...(await readMetrics(replicas[1]))]
    assert.ok(sumOf(all, "petstore_settlements_waiting") >= 16)
    await other.query("ROLLBACK")
    await until(
      async () => (await stateOfAll()).every((state) => state === "delivered"),
      "not every event is delivered",
      60_000,
    )
  })
})

function addPetWithId(id: number): string {
  return `CREATE TEMP TABLE copied AS SELECT * FROM pets WHERE id = 1; UPDATE copied SET id = ${id}; INSERT INTO pets SELECT * FROM copied`
}

const create = (service: Service, body: object) => send(service, "POST", "/pet", JSON.stringify(body))

async function send(service: Service, method: string, path: string, body: string, more = {}): Promise<Answer> {
  const headers = { api_key: "special-key", "content-type": "application/json", ...more }
  const since = performance.now()
  const response = await fetch(`${service.url}/api/v3${path}`, { method, headers, body })
  return { status: response.status, text: await response.text(), ms: performance.now() - since }
}

/** The statuses of concurrent creates, and how many took over a second more than twice as long as usual, on a busy machine too. */
async function createMany(services: readonly Service[], each: number, usualMs: number) {
  const answers = await createTogether(services, each)
  const statuses: Record<number, number> = {}
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
  return { statuses, slow: answers.filter(({ ms }) => ms > 2 * usualMs + 1_000).length }
}

const slowestOf = async (services: readonly Service[], each: number): Promise<number> =>
  Math.max(...(await createTogether(services, each)).map(({ ms }) => ms))

const createTogether = (services: readonly Service[], each: number): Promise<Answer[]> =>
  Promise.all(services.flatMap((service) => Array.from({ length: each }, () => create(service, plain))))

const waitingForRows = async (service: Service): Promise<number> =>
  sumOf(await readMetrics(service), "petstore_database_locks_waiting")
