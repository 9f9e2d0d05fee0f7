import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { type HashedKind, hashedKinds } from "../../domain/ports/hashes.ts"
import type { Repositories } from "../../domain/ports/store.ts"
import { newWebhook } from "../../domain/webhooks/rules.ts"
import { sqliteConnection } from "../../sqlite/connection.ts"
import { sqliteDialect } from "../../sqlite/dialect.ts"
import { addMigrationFunctions, applyMigrations } from "../../sqlite/schema.ts"
import { newestTables } from "../../sqlite/tables.ts"
import { migrations } from "../migrations.ts"
import { repositories } from "../store.ts"
import { hashedTables } from "./tables.ts"

/** The tables whose records have no hash, and why. */
const withoutHash: Readonly<Record<string, string>> = {
  categories: "names that pets have in their texts",
  tags: "names that pets have in their texts",
  pet_tags: "made of the texts of pets",
  pet_images: "made of the texts of pets",
  sent_label_ids: "ids that a client sent with a name; without them a pet has those of the name",
  inventory: "counted from pets",
  counters: "the ids given last, which skip those in use",
  image_bytes: "counted from images",
  images: "a round compares the files with the hash in their record",
  webhook_events: "in the hash of the webhook",
  webhook_secrets: "sealed: what was changed cannot be opened",
  signing_keys: "sealed: what was changed cannot be opened",
  webhooks_to_wake: "deleted within seconds",
  deliveries: "deleted after weeks, and made of events and webhooks",
  delivery_attempts: "deleted with their deliveries",
  idempotency: "deleted after a day",
  sessions: "end by themselves; a person signs in again",
  oauth_records: "expire; a person consents again",
  limit_cells: "counts of a day",
  audit_head: "compared with the last entry of the audit log",
  origin: "how the store was first filled",
  identity: "a changed id refuses backups and images, and loses nothing",
  clock_checks: "replaced every minute",
  leases: "belong to running processes",
  replicas: "belong to running processes",
}

/** The columns of records with a hash of columns that it is not of, and why. */
const outside: Partial<Record<HashedKind, Readonly<Record<string, string>>>> = {
  keys: { last_used_at: "written at each use" },
  webhooks: {
    failing_since: "written after each attempt",
    lane: "written after each attempt",
    average_ms: "written after each attempt",
    due_at: "written with each delivery",
  },
}

test("every table of records has a hash, or a reason why not", () => {
  const hashed = Object.values(hashedTables).map(({ name }) => name)
  assert.deepEqual(
    newestTables()
      .map(({ name }) => name)
      .sort(),
    [...hashed, ...Object.keys(withoutHash)].sort(),
  )
})

test("the hash of columns is of each column, or there is a reason why not", () => {
  for (const kind of hashedKinds) {
    const { name, columns, hash } = hashedTables[kind]
    const all =
      newestTables()
        .find((table) => table.name === name)
        ?.columns.map((column) => column.name) ?? []
    const stated = [...(columns ?? []), ...Object.keys(outside[kind] ?? {}), "id", hash]
    if (columns) assert.deepEqual(stated.sort(), all.sort(), kind)
  }
})

test("records have their hash from the version of the schema on that gives it to them", () => {
  for (const kind of hashedKinds) {
    const { name, hash, since } = hashedTables[kind]
    const isThere = (version: number): boolean => {
      using db = new DatabaseSync(":memory:")
      addMigrationFunctions(db)
      for (const up of migrations.slice(0, version)) for (const statement of up(sqliteDialect)) db.exec(statement)
      return db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(name, hash) !== undefined
    }
    assert.deepEqual([isThere(since - 1), isThere(since)], [false, true], kind)
  }
})

test("a change of any column of a hash, and of its list, is damage until it is undone", async () => {
  using db = new DatabaseSync(":memory:")
  applyMigrations(db)
  const store = repositories(sqliteConnection(db, {}))
  await fill(store)
  db.exec("PRAGMA foreign_keys = OFF")
  for (const kind of hashedKinds) {
    const { name, columns = [], list } = hashedTables[kind]
    const all = columns.map((column) => ({ table: name, column }))
    for (const { table, column } of list ? [...all, list] : all) {
      const found = db.prepare(`SELECT "${column}" AS value FROM ${table}`).get()?.value ?? null
      const put = db.prepare(`UPDATE ${table} SET "${column}" = ?`)
      // A number is also a text.
      put.run(typeof found === "number" ? found + 1 : `${found ?? ""}1`)
      assert.deepEqual((await store.hashes.examine(kind, 0, 10)).damaged, [1], `${table}.${column}`)
      put.run(found as string | number | null)
      const { damaged, withoutHash } = await store.hashes.examine(kind, 0, 10)
      assert.deepEqual({ damaged, withoutHash }, { damaged: [], withoutHash: 0 }, `${table}.${column}`)
    }
  }
})

/** Adds a record of each kind whose hash is of columns. */
async function fill(store: Repositories): Promise<void> {
  const { id: accountId } = await store.accounts.add({ name: "a", plan: "free" })
  const key = { name: "k", hash: "h", allowedCidrs: [], createdAt: 1, expiresAt: undefined }
  await store.keys.add({ ...key, accountId, scopes: ["read:pets"] })
  const client = { clientId: "c", name: "c", redirectUris: [], createdAt: "2026-01-01T00:00:00.000Z" }
  await store.oauthClients.add({ ...client, accountId, type: "public", scopes: ["read:pets"] })
  await store.webhooks.add(newWebhook({ url: "https://a.example/", events: ["pet.created"] }, accountId, 0), "sealed")
}
