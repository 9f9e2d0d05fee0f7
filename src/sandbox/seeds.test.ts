import assert from "node:assert/strict"
import { test } from "node:test"
import { temporaryDirectory } from "../../test/harness/directory.ts"
import { migratedDatabase } from "../../test/harness/migrated.ts"
import type { Store } from "../domain/ports/store.ts"
import type { Seed } from "../domain/sandbox/start/contract.ts"
import { openDiskBlobs } from "../storage/disk/blobs.ts"
import { repositories } from "../storage/sql/store.ts"
import type { InitialData } from "./initial-data.ts"
import { sandboxSeeds } from "./seeds.ts"
import { shelterAnimals } from "./shelter.ts"

/** Prepares a seed for an empty store, which `read` queries. */
async function prepare(initial: InitialData, seed: Seed) {
  const { db, connection, ...database } = migratedDatabase()
  const directory = temporaryDirectory()
  const tx = repositories(connection)
  await tx.origin.put("sandbox", "the first id")
  const prepared = await sandboxSeeds({
    initial,
    store: tx as Store,
    clock: { now: () => 1_000 },
    blobs: openDiskBlobs(directory.path),
    sealing: { seal: (text) => text, open: (text) => text },
    hashes: async () => Array<string>(11).fill("a hash"),
  })(seed)
  return {
    ...prepared,
    tx,
    read: (query: string) =>
      db
        .prepare(query)
        .all()
        .map((row) => Object.values(row)),
    [Symbol.dispose]() {
      database[Symbol.dispose]()
      directory[Symbol.dispose]()
    },
  }
}

/** What a store has that is filled by a seed. */
async function contentOf(initial: InitialData, seed: Seed) {
  using prepared = await prepare(initial, seed)
  const { fill, tables, tx, read } = prepared
  assert.equal(tables, undefined)
  await fill(tx, "https://a.example")
  const names = (table: string) => read(`SELECT name FROM ${table} ORDER BY id`).flat()
  return {
    pets: read("SELECT json ->> '$.name' FROM pets ORDER BY id").flat(),
    orders: read(
      "SELECT pet_id, status, json ->> '$.complete', (SELECT json ->> '$.username' FROM users WHERE id = user_id) FROM orders",
    ),
    categories: names("categories"),
    photos: read("SELECT count(*) FROM pets WHERE json ->> '$.photoUrls[0]' LIKE 'https://a.example/images/%'")[0],
    accounts: names("accounts").slice(0, 4),
    clients: read("SELECT client_id FROM oauth_clients ORDER BY client_id").flat(),
    publicUrl: await tx.origin.publicUrl(),
  }
}

const common = {
  accounts: ["sandbox enterprise", "sandbox pro", "sandbox free", "user1"],
  clients: ["petstore-docs", "sample-client-id"],
  publicUrl: "https://a.example",
}
const classic = {
  ...common,
  pets: ["Cat 1", "Cat 2", "Cat 3", "Dog 1", "Dog 2", "Dog 3", "Lion 1", "Lion 2", "Lion 3", "Rabbit 1"],
  orders: [
    [3, "placed", 0, "user1"],
    [6, "approved", 0, "user2"],
    [5, "delivered", 1, "user3"],
  ],
  categories: ["Dogs", "Cats", "Rabbits", "Lions"],
  photos: [10],
}
const empty = { ...common, pets: [], orders: [], categories: [], photos: [0] }
const shelter = { kind: "seed", seed: "shelter" } as const
const drafts = [
  { name: "Rex", category: { name: "Dogs" }, photoUrls: [], tags: [] },
  { name: "Tom", photoUrls: [] },
]
const ofFile = { kind: "pets", drafts } as const

test("each seed has its own pets and orders, and the initial one is that of the sandbox", async () => {
  assert.deepEqual(await contentOf(shelter, "classic"), classic)
  assert.deepEqual(await contentOf(shelter, "empty"), empty)
  const { pets, orders, categories, photos } = await contentOf(shelter, "initial")
  assert.deepEqual(
    [pets, orders.length, orders[0], categories, photos],
    [shelterAnimals().map(({ name }) => name), 60, [3, "placed", 0, "user1"], ["Cats", "Dogs", "Rabbits"], [300]],
  )
})

test("the pets of a file are the initial ones alone", async () => {
  assert.deepEqual(await contentOf(ofFile, "initial"), { ...empty, pets: ["Rex", "Tom"], categories: ["Dogs"] })
  assert.deepEqual(await contentOf(ofFile, "classic"), classic)
  assert.deepEqual(await contentOf(ofFile, "empty"), empty)
})

test("a sandbox file is the initial content as tables, of a store with a new id", async () => {
  const tables = [{ name: "tags", columns: ["id", "name"], rows: [[1, "new"]] }]
  const initial = {
    kind: "sandbox",
    clock: undefined,
    sealing: { seal: (text: string) => text, open: (text: string) => text },
    tables,
    images: [],
  } as unknown as InitialData
  using prepared = await prepare(initial, "initial")
  assert.deepEqual(prepared.tables, tables)
  await prepared.fill(prepared.tx, "https://a.example")
  const id = await prepared.tx.origin.storeId()
  assert.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  assert.deepEqual(prepared.read("SELECT count(*) FROM accounts"), [[0]])
  assert.deepEqual(await contentOf(initial, "classic"), classic)
})
