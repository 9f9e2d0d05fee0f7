import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import { Client, type QueryConfig } from "pg"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { statements } from "../../src/core/sql/statement.ts"
import { repositories } from "../../src/core/sql/store.ts"
import { BatchedReads } from "../../src/parts/replicas/postgres/batched-reads.ts"
import { postgresConnection } from "../../src/parts/replicas/postgres/connection.ts"
import { postgresDialect } from "../../src/parts/replicas/postgres/dialect.ts"
import { openPostgres } from "../../src/parts/replicas/postgres/open.ts"
import { addClient } from "../conformance/store/oauth-samples.ts"
import { addUser, sampleOrder, samplePet } from "../conformance/store/samples.ts"
import { storeConformance } from "../conformance/store/suite.ts"
import { renameDatabase } from "../harness/database.ts"
import { unlessThorough } from "../harness/effort.ts"
import {
  missingNewPostgres,
  type PostgresServer,
  startNewPostgres,
  startPostgres,
  withoutPostgres,
} from "../harness/postgres.ts"
import { until } from "../harness/until.ts"

describe("with a server", { skip: withoutPostgres }, () => {
  const opened = conformanceOf("PostgreSQL", startPostgres)

  test("PostgreSQL knows the type of every value of every statement", async () => {
    const url = await opened.server.createDatabase(opened.migrated)
    const store = await openPostgres(url, { connections: 2 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const refused: string[] = []
    for (const [n, statement] of statements.entries()) {
      const text = statement.text(postgresDialect)
      await client.query(`PREPARE s${n} AS ${text}`).catch((error) => refused.push(`${error.message}: ${text}`))
    }
    assert.deepEqual(refused, [])
    assert.ok(statements.length > 150)
    await client.end()
    await store.close()
  })

  test("an event is in no feed before it is published: one from an earlier transaction may still be uncommitted", async () => {
    const store = await openPostgres(await opened.server.createDatabase(opened.migrated), { connections: 4 })
    const [added, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const add = (id: number, then = async () => {}) =>
      store.transaction(async (tx) => {
        await tx.events.add("pet.created", samplePet(id), id)
        await then()
      })
    const published = async () => {
      await store.transaction((tx) => tx.events.publish(0, 10))
      return (await store.events.feed(0, 0, 10)).map(({ json }) => JSON.parse(json).data.id)
    }
    const slow = add(1, () => {
      added.resolve()
      return mayCommit.promise
    })
    await added.promise
    await add(2)
    assert.deepEqual(await store.events.feed(0, 0, 10), [])
    assert.deepEqual(await published(), [2])
    mayCommit.resolve()
    await slow
    assert.deepEqual(await published(), [2, 1])
    await store.close()
  })

  test("a record that the previous version changes during an upgrade has no hash, instead of a wrong one, until a round stores it", async () => {
    const url = await opened.server.createDatabase(opened.migrated)
    const store = await openPostgres(url, { connections: 2 })
    const client = new Client({ connectionString: url })
    await client.connect()
    const accountId = await addUser(store, 1, "ada")
    await store.transaction((tx) => tx.orders.add(sampleOrder(1, 1, "placed"), accountId, 1, 0))
    await addClient(store, accountId, "client")
    const webhook = newWebhook({ url: "https://a.example/", events: ["pet.created"] }, accountId, 0)
    await store.transaction((tx) => tx.webhooks.add(webhook, "sealed"))
    const key = { name: "k", hash: "h", allowedCidrs: [], createdAt: 0, expiresAt: undefined }
    await store.transaction((tx) => tx.keys.add({ ...key, accountId, scopes: ["read:pets"] }))
    const kinds = ["orders", "users", "accounts", "keys", "clients", "webhooks"] as const
    const examine = async () => {
      const found = await Promise.all(kinds.map((kind) => store.hashes.examine(kind, 0, 10)))
      return found.map(({ damaged, withoutHash }) => [damaged.length, withoutHash])
    }
    const [allHave, noneHas] = [kinds.map(() => [0, 0]), kinds.map(() => [0, 1])]
    for (const change of ["SET json = json", "SET account_id = account_id"])
      for (const table of ["orders", "users"]) await client.query(`UPDATE ${table} ${change}`)
    await client.query("UPDATE keys SET last_used_at = 1")
    await client.query("UPDATE webhooks SET due_at = 1, failing_since = 1, lane = 'slow', average_ms = 1")
    assert.deepEqual(await examine(), allHave)
    await client.query("UPDATE orders SET status = 'approved', json = replace(json, 'placed', 'approved')")
    await client.query("UPDATE users SET name = 'eve', json = replace(json, 'ada', 'eve')")
    await client.query("UPDATE accounts SET name = 'eve', plan = 'pro'")
    await client.query("UPDATE keys SET rotated_at = 1, expires_at = 2")
    await client.query("UPDATE oauth_clients SET previous_secret_hash = secret_hash, secret_hash = 'other'")
    await client.query("UPDATE webhooks SET url = url; INSERT INTO webhook_events (webhook_id, kind) VALUES (1, '*')")
    assert.deepEqual(await examine(), noneHas)
    assert.equal((await store.users.byName("eve"))?.user.username, "eve")
    assert.deepEqual((await store.webhooks.read(1))?.events, ["*", "pet.created"])
    for (const kind of kinds) await store.transaction((tx) => tx.hashes.fill(kind, 0, 10))
    assert.deepEqual(await examine(), allHave)
    await store.transaction((tx) => tx.orders.put(sampleOrder(1, 1, "delivered")))
    await store.transaction((tx) => tx.users.erase(1))
    await store.transaction((tx) => tx.webhooks.remove(1, 5))
    assert.deepEqual(await examine(), allHave)
    await client.end()
    await store.close()
  })

  test("connections and waiting transactions are measured", async () => {
    const store = await openPostgres(await opened.server.createDatabase(opened.migrated), { connections: 4 })
    const read = async () => {
      const metrics = await Promise.all(
        (store.metrics ?? [])
          .filter(({ name }) => /_connections|_waiting$/.test(name))
          .map(async ({ name, read }) => ({ name, values: await read() })),
      )
      return Object.fromEntries(
        metrics.flatMap(({ name, values }) =>
          values.map((value) => [[name, ...Object.values(value.labels)].join(" "), "value" in value && value.value]),
        ),
      )
    }
    const free = Promise.withResolvers<void>()
    const transactions = Array.from({ length: 5 }, () =>
      store.transaction(async (tx) => {
        await tx.pets.read(1)
        await free.promise
      }),
    )
    await store.pets.read(1)
    const busy = {
      petstore_database_connections_max: 4,
      petstore_database_inputs_waiting: 0,
      petstore_database_locks_waiting: 0,
      "petstore_database_connections reading idle": 1,
    }
    await until(
      async () => (await read())["petstore_database_connections transactions busy"] === 3,
      "not every connection is in use",
    )
    assert.deepEqual(await read(), {
      ...busy,
      petstore_database_connections_waiting: 2,
      "petstore_database_connections transactions busy": 3,
      "petstore_database_connections transactions idle": 0,
      "petstore_database_connections reading busy": 0,
    })
    free.resolve()
    await Promise.all(transactions)
    assert.deepEqual(await read(), {
      ...busy,
      petstore_database_connections_waiting: 0,
      "petstore_database_connections transactions busy": 0,
      "petstore_database_connections transactions idle": 3,
      "petstore_database_connections reading busy": 0,
    })
    await store.close()
  })

  test("concurrent reads of pets are one query, and each caller receives its own pet", async () => {
    const url = await opened.server.createDatabase(opened.migrated)
    const store = await openPostgres(url, { connections: 4 })
    await store.transaction(async (tx) => {
      for (const id of [1, 2, 3]) await tx.pets.add([samplePet(id)])
    })
    const client = new Client({ connectionString: url })
    await client.connect()
    let questions = 0
    const sendQuery = (query: QueryConfig) => {
      questions++
      return client.query(query)
    }
    const { pets } = repositories(
      postgresConnection(sendQuery, { isNamed: true, batches: new BatchedReads(sendQuery, true) }),
    )
    const ids = [3, 1, 4, 1, 2]
    const found = await Promise.all(ids.map((id) => pets.read(id)))
    assert.equal(questions, 1)
    assert.deepEqual(found, await Promise.all(ids.map((id) => store.pets.read(id))))
    assert.equal(found[2], undefined)
    await client.query("DROP TABLE pets CASCADE")
    const failing = await Promise.allSettled(ids.map((id) => pets.read(id)))
    assert.ok(failing.every(({ status }) => status === "rejected"))
    await client.end()
    await store.close()
  })
})

describe("with PostgreSQL 18", { skip: withoutPostgres || unlessThorough || (await missingNewPostgres()) }, () => {
  conformanceOf("PostgreSQL 18", startNewPostgres)
})

/** Runs the conformance suite of stores on a server of this product; returns the server and a migrated database without connections. */
function conformanceOf(product: string, start: () => Promise<PostgresServer>) {
  const opened = {} as { server: PostgresServer; migrated: string }
  before(async () => {
    opened.server = await start()
    opened.migrated = await opened.server.createDatabase()
    const store = await openPostgres(opened.migrated, { connections: 2 })
    assert.ok(store.product.startsWith(product))
    await store.close()
  })
  after(() => opened.server[Symbol.asyncDispose]())

  storeConformance(product, async () => {
    const url = await opened.server.createDatabase(opened.migrated)
    await renameDatabase(url)
    return openPostgres(url, { connections: 8 })
  })
  return opened
}
