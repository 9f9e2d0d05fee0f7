import assert from "node:assert/strict"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import pino from "pino"
import { openSealing } from "../../src/core/crypto/sealing-key.ts"
import type { Retention } from "../../src/core/domain/policy.ts"
import { forgetOld } from "../../src/core/workers/forget-old.ts"
import { startMaintenance } from "../../src/core/workers/maintenance.ts"
import { createLabelSweep } from "../../src/core/workers/sweep-labels.ts"
import { examine } from "../harness/consistency.ts"
import { usePetstore } from "../harness/use.ts"

const day = 86_400_000
const petstore = usePetstore(
  {
    env: {
      PETSTORE_RETENTION_EVENTS_DAYS: "9",
      PETSTORE_RETENTION_DELIVERIES_DAYS: "8",
      PETSTORE_RETENTION_IDEMPOTENCY_DAYS: "3",
      PETSTORE_RETENTION_KEYS_DAYS: "2",
    },
  },
  "one for each test",
)
const admin = petstore.as("special-key")

/** The rows that a query returns from the database file. */
function rows(text: string) {
  const db = new DatabaseSync(databaseFile(), { readOnly: true })
  try {
    return db.prepare(text).all()
  } finally {
    db.close()
  }
}
const databaseFile = () => join(petstore.imageDirectory, "..", "petstore.db")

test("a revoked key is deleted after its retention; a valid key is kept", async () => {
  const { value: key } = await admin.createKey({ body: { name: "gone", scopes: ["read:pets"] } })
  const { value: kept } = await admin.createKey({ body: { name: "kept", scopes: ["read:pets"] } })
  await admin.revokeKey({ params: { id: key.id } })
  const stored = () => rows("SELECT id FROM keys ORDER BY id").map(({ id }) => id)
  petstore.clock.advance(2 * day)
  await forgetOld(petstore)
  assert.ok(stored().includes(key.id))
  petstore.clock.advance(1)
  await forgetOld(petstore)
  assert.ok(!stored().includes(key.id) && stored().includes(kept.id))
  await petstore.as(kept.secret).getPetById({ params: { petId: 1 } })
})

test("events, deliveries and stored responses are kept for the times in the settings", async () => {
  const { value: webhook } = await admin.createWebhook({
    body: { url: "http://127.0.0.1:9/", events: ["pet.deleted"] },
  })
  await admin.updateWebhook({ params: { webhookId: webhook.id }, body: { status: "paused" } })
  const repeated = { body: { name: "Rex", photoUrls: [] }, idempotencyKey: "one" }
  const { value: pet } = await admin.addPet(repeated)
  await admin.deletePet({ params: { petId: pet.id } })
  await petstore.worker.tick()
  const kept = () =>
    rows(`SELECT (SELECT count(*) FROM idempotency) AS answers, (SELECT count(*) FROM deliveries) AS deliveries,
                 (SELECT count(*) > 0 FROM events) AS events`).map((row) => Object.values(row))[0]
  const after = async (ms: number) => {
    petstore.clock.advance(ms)
    await forgetOld(petstore)
    return kept()
  }
  assert.deepEqual(await after(3 * day), [1, 1, 1])
  assert.equal((await admin.addPet(repeated)).headers.get("idempotency-replayed"), "true")
  assert.deepEqual(await after(1), [0, 1, 1])
  assert.deepEqual(await after(5 * day - 1), [0, 1, 1])
  assert.deepEqual(await after(1), [0, 0, 1])
  assert.deepEqual(await after(day - 1), [0, 0, 1])
  assert.deepEqual(await after(1), [0, 0, 0])
})

const labelled = (category: string, ...tags: string[]) => ({
  name: "Rex",
  photoUrls: [],
  category: { name: category },
  tags: tags.map((name) => ({ name })),
})

test("an unused label is deleted, a used one is kept, and a recreated one is new", async () => {
  const { value: first } = await admin.addPet({ body: labelled("owls", "night", "soft") })
  const { value: second } = await admin.addPet({ body: labelled("owls", "soft") })
  const names = (table: string) => rows(`SELECT name FROM ${table}`).map(({ name }) => name)
  const sweep = createLabelSweep()
  await sweep(petstore)
  assert.ok(names("tags").includes("night"))

  await admin.deletePet({ params: { petId: first.id } })
  await sweep(petstore)
  assert.ok(!names("tags").includes("night") && names("tags").includes("soft") && names("categories").includes("owls"))
  await admin.updatePet({ body: { id: second.id, name: "Rex", photoUrls: [] } })
  await sweep(petstore)
  assert.ok(!names("tags").includes("soft") && !names("categories").includes("owls"))
  const { value: third } = await admin.addPet({ body: labelled("owls", "soft") })
  assert.ok((third.category?.id ?? 0) > (first.category?.id ?? 0))
  assert.ok((third.tags[0]?.id ?? 0) > (first.tags[0]?.id ?? 0))
})

test("labels are checked in batches, and each gets its turn (slow)", async () => {
  const names = (word: string, length: number) => Array.from({ length }, (_, n) => `${word} ${n}`)
  await petstore.store.transaction(async (tx) => {
    const ids = await tx.pets.tagIds(names("used", 12_000))
    const tags = [...ids].map(([name, id]) => ({ id, name }))
    await tx.pets.add([{ id: 99, name: "Rex", photoUrls: [], tags, status: "available" }])
    await tx.pets.tagIds(names("unused", 3_000))
  })
  const stored = () => rows("SELECT count(*) AS n FROM tags WHERE name LIKE '%used %'")[0]?.n
  const sweep = createLabelSweep()
  await sweep(petstore)
  assert.equal(stored(), 15_000)
  await sweep(petstore)
  assert.equal(stored(), 12_000)
})

test("labels deleted while pets are created and deleted with them leave every pet with its labels (slow)", async () => {
  const sweep = createLabelSweep()
  let isDone = false
  const sweeping = (async () => {
    while (!isDone) await sweep(petstore)
  })()
  const make = async (n: number) => {
    const wanted = labelled(`category ${n % 3}`, `tag ${n % 5}`, `tag ${n % 7}`)
    const { value: pet } = await admin.addPet({ body: wanted })
    if (n % 4 > 0) await admin.deletePet({ params: { petId: pet.id } })
  }
  for (let n = 0; n < 200; n += 20) await Promise.all(Array.from({ length: 20 }, (_, m) => make(n + m)))
  isDone = true
  await sweeping
  assert.deepEqual(examine(databaseFile()).contradictions, [])
})

test("a round of maintenance cancels overdue orders, deletes unused labels, and logs no error", async () => {
  const dataDir = join(petstore.imageDirectory, "..")
  const sealing = await openSealing(petstore.store, { secretKey: undefined, dataDir })
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const round = (retention: Retention) => {
    const { store, clock, blobs } = petstore
    const ports = { store, clock, sealing, log, blobs, retention }
    return startMaintenance(ports, { holder: "test", servingSince: clock.now() })()
  }
  const { value: order } = await petstore.as("free-key").placeOrder({ body: { petId: 1 } })
  const { value: fleeting } = await admin.addPet({ body: labelled("owls", "night") })
  await admin.deletePet({ params: { petId: fleeting.id } })
  petstore.clock.advance(7 * day + 1)
  const petOne = async () => (await admin.getPetById({ params: { petId: 1 } })).value.status

  await round(petstore.retention)
  assert.equal(await petOne(), "pending")
  await round({ ...petstore.retention, placedOrders: 7 * day })
  assert.equal(await petOne(), "available")
  assert.equal(await petstore.store.orders.read(order.id), undefined)
  assert.deepEqual(rows("SELECT name FROM tags WHERE name = 'night'"), [])
  const orders = lines.filter((line) => line.orders !== undefined).map((line) => line.orders)
  assert.deepEqual(orders, [2])
  assert.deepEqual(
    lines.filter(({ level }) => level === 50),
    [],
  )
})

test("a chore that fails is logged by its name, and the others run", async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { store, clock, blobs, retention } = petstore
  let rotations = 0
  const broken = { ...store, orders: { ...store.orders, waiting: () => Promise.reject(new Error("no")) } }
  const rotateSigningKeys = async () => void rotations++
  const parts = {
    store: broken,
    clock,
    sealing: { seal: String, open: String },
    log,
    blobs,
    retention: { ...retention, placedOrders: day },
  }
  await startMaintenance(parts, { holder: "test", servingSince: clock.now() }, [rotateSigningKeys])()
  assert.deepEqual(
    lines.filter(({ level }) => level === 50).map(({ chore }) => chore),
    ["cancelStaleOrders"],
  )
  assert.equal(rotations, 1)
})
