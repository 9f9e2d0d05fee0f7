import assert from "node:assert/strict"
import { join } from "node:path"
import { test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import fc from "fast-check"
import { type Order, orderStatuses } from "../../src/core/domain/orders/contract.ts"
import { pageOfOrderRecords } from "../../src/core/domain/orders/records/read.ts"
import { PetStatus, Pets } from "../../src/core/domain/pets/contract.ts"
import { pageOfRecords } from "../../src/core/domain/pets/records/read.ts"
import { pageWithSentIds } from "../../src/core/domain/pets/sent-ids.ts"
import type { PetPage } from "../../src/core/domain/pets/store.ts"
import type { Database, Repositories } from "../../src/core/domain/ports/store.ts"
import type { PageText } from "../../src/core/kernel/endpoint/page.ts"
import type { Awaitable } from "../../src/core/kernel/flow/awaitable.ts"
import { fromJson, type Json, jsonArray } from "../../src/core/kernel/json/json.ts"
import { writeXmlList } from "../../src/core/server/xml/write-xml.ts"
import { statements } from "../../src/core/sql/statement.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import { openDisk } from "../../src/core/sqlite/disk.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { sampleOrder, samplePet, sampleUser } from "../conformance/store/samples.ts"
import { temporaryDirectory } from "../harness/directory.ts"

/** A store whose flushes take a while, so that readers see an earlier state. */
function openSlow(file: string, cacheKiB: number): Database {
  const machine = {
    openDisk(db: Parameters<typeof openDisk>[0]) {
      const disk = openDisk(db)
      return {
        ...disk,
        syncLog: () =>
          turn()
            .then(() => turn())
            .then(disk.syncLog),
      }
    },
  }
  return openSqlite(file, machine, { bytesMax: 2 ** 26, cacheKiB })
}

const ids = Array.from({ length: 60 }, (_, n) => n + 1)
const statuses = PetStatus.enum
const everyOrder = { accountId: undefined, petId: undefined, statuses: orderStatuses }
const [accountId, userId] = [1, 1]

/** Requires that pages are what reads of each pet say; all are of one snapshot, as no other code runs between. */
function requireEqualPages(store: Database, status: (typeof statuses)[number], before: number, limit: number) {
  const page = store.pets.byStatus([status], { before, limit }) as PetPage
  const matching = textsOf(store.pets).filter((pet) => fromJson(pet).status === status && fromJson(pet).id < before)
  const unkept = requireEqual(page, matching, limit)
  return [pageOfRecords, pageWithSentIds, pageInXml, pageOfV2InXml].map(async (write) => {
    const [found, expected] = [write({ store }, page), write({ store }, unkept)]
    assert.deepEqual((await found).json, (await expected).json)
  })
}

/** The same for orders. */
function requireEqualOrders(store: Database, before: number, limit: number): Promise<void>[] {
  const page = store.orders.list(everyOrder, { sort: "-id", after: before, limit }) as PageText<Order[]>
  const matching = textsOf(store.orders).filter((order) => fromJson(order).id < before)
  const unkept = requireEqual(page, matching, limit)
  const [found, expected] = [pageOfOrderRecords({ store }, page), pageOfOrderRecords({ store }, unkept)]
  return [Promise.all([found, expected]).then(([found, expected]) => assert.deepEqual(found.json, expected.json))]
}

/** The texts of all pets or orders, newest first. */
const textsOf = <T>({ read }: { read(id: number): Awaitable<{ json: Json<T> } | undefined> }): Json<T>[] =>
  ids.flatMap((id) => (read(id) as { json: Json<T> } | undefined)?.json ?? []).reverse()

/** Returns the page as it is where no texts are kept. */
function requireEqual<T extends { id: number }>(
  page: PageText<T[]>,
  matching: Json<T>[],
  limit: number,
): PageText<T[]> {
  const here = matching.slice(0, limit)
  const last = here.at(-1)
  const unkept = { json: jsonArray(here), next: matching.length > limit && last ? fromJson(last).id : undefined }
  assert.deepEqual([page.json, page.next], [unkept.json, unkept.next])
  return unkept
}

const pageInXml = async (_: unknown, page: PetPage) => ({ json: (await writeXmlList(Pets, page, 2 ** 20)).xml })

const pageOfV2InXml = async (by: { store: Database }, page: PetPage) => pageInXml(by, await pageWithSentIds(by, page))

/** Often one of a few, so that what is removed is added again. */
const id = fc.oneof(fc.constantFrom(...ids), fc.integer({ min: 56, max: 58 }))
const before = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constant(1000))
const status = fc.constantFrom(...statuses)
const label = { id: 1, name: "tag" }
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: id, status, long: fc.nat(900), at: fc.nat(9), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ remove: id }) },
  { weight: 2, arbitrary: fc.record({ send: id, sentId: fc.integer({ min: 0, max: 3 }), fails: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ order: id, orderStatus: fc.constantFrom(...orderStatuses), fails: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ cancel: id }) },
  { weight: 2, arbitrary: fc.record({ account: fc.constantFrom("a", "ż"), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ user: fc.constantFrom("one", "two", undefined), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ startOver: fc.constant(true) }) },
  {
    weight: 8,
    arbitrary: fc.record({ status, before, limit: fc.integer({ min: 1, max: 50 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ before, limit: fc.integer({ min: 1, max: 50 }) }),
  },
  { weight: 6, arbitrary: fc.constantFrom("turn" as const, "settle" as const) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

async function change(step: Exclude<Step, string>, tx: Repositories): Promise<void> {
  const { pets, orders, users, accounts } = tx
  if ("put" in step) {
    const pet = samplePet(step.put, { status: step.status, name: "x".repeat(step.long + 1), tags: [label] })
    const before = await pets.lock(step.put)
    if (before) await pets.put(pet, before.pet, step.at)
    else await pets.add([pet], step.at)
  }
  if ("remove" in step) await pets.remove(step.remove)
  if ("send" in step && (await pets.lock(step.send)))
    await pets.keepSentIds(step.send, { tags: step.sentId === 0 ? [] : [{ id: step.sentId, name: "tag" }] })
  if ("order" in step) {
    const order = sampleOrder(step.order, 1, step.orderStatus)
    if (await orders.lock(step.order)) await orders.put(order)
    else await orders.add(order, accountId, userId, 1, false)
  }
  if ("cancel" in step) await orders.remove(step.cancel)
  if ("account" in step) await accounts.change(accountId, { name: step.account })
  if ("user" in step && step.user === undefined) await users.erase(userId)
  else if ("user" in step)
    await users.put({ user: sampleUser(userId, step.user as string), accountId, passwordHash: "h" })
  if ("fails" in step && step.fails) throw new Error("rolled back")
}

async function fill({ pets, origin, accounts, users, orders }: Repositories, count: number): Promise<void> {
  await origin.put("sandbox", "s")
  assert.equal((await accounts.add({ name: "a", plan: "free" })).id, accountId)
  await users.add({ user: sampleUser(userId, "one"), accountId, passwordHash: "h" })
  await pets.tagIds(["tag"])
  await pets.add(
    ids.slice(0, count).map((id) => samplePet(id, { tags: [label] })),
    1,
  )
  for (const id of ids.slice(0, count)) await orders.add(sampleOrder(id, 1, "placed"), accountId, userId, 1, false)
}

test("every page is what single reads say, beside writes that commit, fail and are not flushed yet, and resets (slow)", async () => {
  using directory = temporaryDirectory()
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (steps) => {
      // Some keep all texts, and some forget most.
      const store = openSlow(join(directory.path, `${run++}.db`), run % 2 === 0 ? 64 : 512)
      await store.transaction((tx) => fill(tx, ids.length))
      const writes: Promise<unknown>[] = []
      const checks: Promise<unknown>[] = []
      for (const step of steps) {
        if (step === "turn") await turn()
        else if (step === "settle") await Promise.all(writes)
        else if ("startOver" in step) writes.push(store.startOver((fresh) => fill(fresh, 20), undefined))
        else if (!("before" in step))
          writes.push(
            store.transaction((tx) => change(step, tx)).catch((error) => assert.equal(error.message, "rolled back")),
          )
        else if ("status" in step) checks.push(...requireEqualPages(store, step.status, step.before, step.limit))
        else checks.push(...requireEqualOrders(store, step.before, step.limit))
      }
      await Promise.all([...writes, ...checks])
      for (const status of statuses) await Promise.all(requireEqualPages(store, status, 1000, 50))
      await Promise.all(requireEqualOrders(store, 1000, 50))
      await store.close()
    }),
    { numRuns: 40 },
  )
})

test("a text is forgotten when what it is made of changes", async () => {
  using directory = temporaryDirectory()
  const store = openSlow(join(directory.path, "changes.db"), 512)
  await store.transaction((tx) => fill(tx, ids.length))
  const requireEqual = () =>
    Promise.all([...requireEqualPages(store, "available", 1000, 50), ...requireEqualOrders(store, 1000, 50)])
  const put = { put: 50, status: "available", at: 7, fails: false } as const
  const changes = [
    [{ ...put, long: 5 }],
    [{ remove: 50 }, { ...put, long: 6 }],
    [{ send: 50, sentId: 3, fails: false }],
    [{ send: 50, sentId: 0, fails: false }],
    [{ order: 50, orderStatus: "approved", fails: false }],
    [{ cancel: 50 }, { order: 50, orderStatus: "placed", fails: false }],
    [{ account: "ż", fails: false }],
    [{ user: "two", fails: false }],
    [{ user: undefined, fails: false }],
  ] as const
  for (const steps of changes) {
    await requireEqual()
    for (const step of steps) await store.transaction((tx) => change(step, tx))
    await requireEqual()
  }
  await store.startOver((fresh) => fill(fresh, ids.length), undefined)
  await requireEqual()
  await store.close()
})

test("the statements that write what texts are made of are those of stores that say what to forget", () => {
  const writing = (pattern: RegExp) =>
    new Set(statements.map(({ text }) => text(sqliteDialect)).filter((text) => pattern.test(text))).size
  // Of each table one restores a text, and says so, and one fills in a hash only.
  assert.equal(writing(/\b(INTO|UPDATE|DELETE FROM) (pets|orders)\b/), 6 + 4)
  assert.equal(writing(/\b(INTO|UPDATE|DELETE FROM) sent_label_ids\b/), 2)
  // Two that write the name of a user, one that a user has consented, one that deletes the row of an erased one.
  assert.equal(writing(/\b(UPDATE|DELETE FROM) (accounts|users)\b/), 5 + 4)
})
