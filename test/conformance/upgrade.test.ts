import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { LockedPet } from "../../src/core/domain/pets/store.ts"
import { etagOf } from "../../src/core/sql/hashes/hash-of.ts"
import { up as boundsAndRetention } from "../../src/core/sql/migrations/0013-bounds-and-retention.ts"
import { up as clockChecks } from "../../src/core/sql/migrations/0023-clock-checks.ts"
import { up as timesOfPets } from "../../src/core/sql/migrations/0029-times-of-pets.ts"
import { up as timesOfOrders } from "../../src/core/sql/migrations/0030-times-of-orders.ts"
import { up as idTokenAlgorithms } from "../../src/core/sql/migrations/0032-id-token-algorithms.ts"
import { up as hashesOfTexts } from "../../src/core/sql/migrations/0034-hashes-of-texts.ts"
import { migrations } from "../../src/core/sql/migrations.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { addMigrationFunctions } from "../../src/core/sqlite/schema.ts"
import { createHashCheck } from "../../src/core/workers/check-hashes.ts"
import { temporaryDirectory } from "../harness/directory.ts"

/** A database before a migration, with these rows. */
function databaseBefore(migration: (typeof migrations)[number], file: string, rows: string): void {
  const version = migrations.indexOf(migration)
  const db = new DatabaseSync(file)
  addMigrationFunctions(db)
  for (const up of migrations.slice(0, version)) for (const statement of up(sqliteDialect)) db.exec(statement)
  db.exec(rows)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
}

const role = (name: string) => `{"id":1,"username":"ada","role":"${name}"}`

test("an upgrade finds the person behind each key and the category of each pet, and expires no order at once", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  databaseBefore(
    boundsAndRetention,
    file,
    `INSERT INTO accounts (id, name, plan) VALUES (1, 'company', 'pro'), (2, 'user 1', 'free');
     INSERT INTO users (id, account_id, name, json, password_hash) VALUES (1, 2, 'ada', '${role("admin")}', 'h');
     INSERT INTO keys (id, account_id, name, scopes, hash) VALUES (1, 1, 'k', 'admin', 'of company'), (2, 2, 'k', 'admin', 'of ada');
     INSERT INTO categories (id, name) VALUES (7, 'owls'), (8, 'unused');
     INSERT INTO pets (id, status, json, etag) VALUES
       (1, 'pending', '{"id":1,"category":{"id":7,"name":"owls"}}', 'e'), (2, 'sold', '{"id":2}', 'e');
     INSERT INTO orders (id, pet_id, account_id, status, json) VALUES
       (1, 1, 1, 'placed', '{"id":1}'), (2, 2, 1, 'delivered', '{"id":2}')`,
  )
  const before = Date.now()
  const store = openSqlite(file)
  try {
    assert.equal((await store.keys.byHash("of company"))?.key.userId, undefined)
    const found = await store.keys.byHash("of ada")
    assert.deepEqual({ userId: found?.key.userId, role: found?.role }, { userId: 1, role: "admin" })
    assert.deepEqual(await store.orders.waiting(before, 10), [])
    assert.deepEqual(
      (await store.orders.waiting(Date.now() + 1, 10)).map(({ id }) => id),
      [1],
    )
    assert.equal(await store.transaction((tx) => tx.pets.forgetUnusedLabels("categories", 0, 10)), undefined)
    const ids = await store.transaction((tx) => tx.pets.categoryIds(["owls", "unused"]))
    assert.deepEqual([...ids.values()], [7, 9])
  } finally {
    await store.close()
  }
})

test("after an upgrade the clock is compared with the newest entry or event, which show when the service ran last", async () => {
  for (const [events, audit] of [
    [7000, 9000],
    [9000, 7000],
  ]) {
    using directory = temporaryDirectory()
    const file = join(directory.path, "petstore.db")
    databaseBefore(
      clockChecks,
      file,
      `INSERT INTO events (id, kind, json, created_at) VALUES (1, 'pet.created', '{}', 5000), (2, 'pet.created', '{}', ${events});
       INSERT INTO audit (id, at, action, principal, json, hash) VALUES (1, ${audit}, 'key.created', 'service', '{}', 'h')`,
    )
    const store = openSqlite(file)
    assert.deepEqual(await store.clockChecks.read(), { checkedAt: 9000, trustedAt: 9000, doubtedSince: undefined })
    await store.close()
  }
})

const sold = '{"id":1,"status":"sold","tags":[],"photoUrls":[],"name":"a"}'

test("after an upgrade the times of earlier pets are unknown until they change", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  databaseBefore(
    timesOfPets,
    file,
    `INSERT INTO pets (id, status, json, etag) VALUES (1, 'sold', '${sold}', '${etagOf(sold)}')`,
  )
  const store = openSqlite(file)
  const times = async () => (await store.pets.times([1])).get(1)
  assert.deepEqual(await times(), { createdAt: undefined, updatedAt: undefined })
  await store.transaction(async (tx) => {
    const { pet } = (await tx.pets.lock(1)) as LockedPet
    await tx.pets.put(pet, pet, 5000)
  })
  assert.deepEqual(await times(), { createdAt: undefined, updatedAt: 5000 })
  await store.close()
})

test("after an upgrade an order that waits for approval has the time when it was placed, and an earlier one has none", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  databaseBefore(
    timesOfOrders,
    file,
    `INSERT INTO accounts (id, name, plan) VALUES (7, 'company', 'free');
     INSERT INTO orders (id, pet_id, account_id, status, json, waiting_since)
     VALUES (1, 1, 7, 'placed', '{}', 5000), (2, 2, 7, 'delivered', '{}', NULL)`,
  )
  const store = openSqlite(file)
  const origin = { accountId: 7, accountName: "company", username: undefined }
  assert.deepEqual(
    await store.orders.origins([1, 2, 3]),
    new Map([
      [1, { ...origin, placedAt: 5000 }],
      [2, { ...origin, placedAt: undefined }],
    ]),
  )
  await store.close()
})

test("after an upgrade applications that had ES256 keep it, and the sample application and those of documents get RS256", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  const clients = ["poc_1", "sample-client-id", "https://agent.example/client.json"]
  databaseBefore(
    idTokenAlgorithms,
    file,
    `INSERT INTO accounts (id, name, plan) VALUES (1, 'company', 'pro');${clients
      .map(
        (clientId) => `INSERT INTO oauth_clients (account_id, client_id, name, type, redirect_uris, scopes, created_at)
                       VALUES (1, '${clientId}', 'a', 'public', '[]', 'read:pets', '2026-01-01T00:00:00.000Z');`,
      )
      .join("\n")}`,
  )
  const store = openSqlite(file)
  const found = await Promise.all(clients.map((clientId) => store.oauthClients.byClientId(clientId)))
  assert.deepEqual(
    found.map((client) => client?.idTokenSignedResponseAlg),
    ["ES256", undefined, undefined],
  )
  await store.close()
})

test("after an upgrade records have no hash, which is no damage, until a round stores it", async () => {
  using directory = temporaryDirectory()
  const file = join(directory.path, "petstore.db")
  databaseBefore(
    hashesOfTexts,
    file,
    `INSERT INTO accounts (id, name, plan) VALUES (1, 'company', 'pro');
     INSERT INTO keys (id, account_id, name, scopes, hash) VALUES (1, 1, 'k', 'admin', 'of company');
     INSERT INTO oauth_clients (id, account_id, client_id, name, type, redirect_uris, scopes, created_at)
     VALUES (1, 1, 'client', 'a', 'public', '[]', 'read:pets', '2026-01-01T00:00:00.000Z');
     INSERT INTO webhooks (id, account_id, url, ordered, status, created_at) VALUES (1, 1, 'https://a.example/', 0, 'active', 1);
     INSERT INTO webhook_events (webhook_id, kind) VALUES (1, 'pet.created');
     INSERT INTO users (id, account_id, name, json, password_hash) VALUES (1, 1, 'ada', '${role("admin")}', 'h'), (2, 1, NULL, NULL, NULL);
     INSERT INTO orders (id, pet_id, account_id, status, json) VALUES (1, 1, 1, 'placed', '{"id":1}');
     INSERT INTO events (id, kind, json, created_at, position) VALUES (1, 'pet.created', '{}', 5000, 1)`,
  )
  const store = openSqlite(file)
  for (const kind of filledIn) {
    assert.partialDeepStrictEqual(await store.hashes.examine(kind, 0, 10), { damaged: [], withoutHash: 1 }, kind)
    assert.equal(await store.hashes.read(kind, 1), undefined)
  }
  assert.equal((await store.orders.read(1))?.json, '{"id":1}')
  assert.equal((await store.users.byName("ada"))?.user.role, "admin")
  assert.equal((await store.keys.byHash("of company"))?.account.plan, "pro")
  assert.equal((await store.oauthClients.byClientId("client"))?.name, "a")
  assert.deepEqual((await store.webhooks.read(1))?.events, ["pet.created"])

  await createHashCheck().checkHashes({
    store,
    blobs: { hasChecksums: true, read },
    log: { error: () => assert.fail() },
  })
  for (const kind of filledIn) {
    assert.partialDeepStrictEqual(await store.hashes.examine(kind, 0, 10), { damaged: [], withoutHash: 0 }, kind)
    const text = await store.hashes.read(kind, 1)
    assert.ok(text && store.hashes.isIntact(kind, text))
  }
  await store.close()
})

const filledIn = ["orders", "users", "events", "accounts", "keys", "clients", "webhooks"] as const

const read = async () => undefined
