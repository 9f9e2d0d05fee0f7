import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../test/harness/migrated.ts"
import { type Database, type Repositories, StoreUnavailable } from "../domain/ports/store.ts"
import { CannotStart } from "../kernel/cannot-start.ts"
import { fromJson } from "../kernel/json/json.ts"
import { repositories } from "../storage/sql/store.ts"
import { type Filling, fillSandbox, makeFirstKey } from "./first-start.ts"
import type { Seeds } from "./seeds.ts"

/** An empty store, filled from these seeds; records how. */
function emptyStore(seeds: Seeds = async () => ({ fill: async () => {} })) {
  const { connection, ...database } = migratedDatabase()
  const tx = repositories(connection)
  const events: string[] = []
  const store = {
    ...tx,
    transaction: (work: (inside: Repositories) => Promise<unknown>) => work(tx),
    async startOver(fill: (inside: Repositories) => Promise<void>, tables: unknown) {
      events.push(`start over with ${JSON.stringify(tables)}`)
      await fill(tx)
    },
  }
  const filling: Filling = {
    store: store as unknown as Database,
    seeds,
    publicUrl: "https://a.example",
    clock: { now: () => 1_000 },
    keepKey(mint) {
      events.push("keep")
      return mint()
    },
  }
  return { tx, filling, events, [Symbol.dispose]: database[Symbol.dispose] }
}

test("an empty store is filled once, from a seed", async () => {
  const filled: string[] = []
  using empty = emptyStore(async (seed) => {
    filled.push(seed)
    return { fill: async (_, publicUrl) => void filled.push(publicUrl) }
  })
  const { tx, filling, events } = empty
  await fillSandbox(filling)
  const id = await tx.origin.storeId()
  assert.deepEqual([filled, await tx.origin.read(), events], [["initial", "https://a.example"], "sandbox", []])
  await fillSandbox(filling)
  assert.deepEqual([filled.length, await tx.origin.storeId()], [2, id])
  await assert.rejects(makeFirstKey(filling), (error) => {
    return error instanceof CannotStart && error.message.startsWith("The data belong to the sandbox profile")
  })
})

test("the tables of a file replace an empty store, and those that do not fit are an error of the setting", async () => {
  let fails = false
  const fill = async () => {
    if (fails) throw new Error("no such column")
  }
  using empty = emptyStore(async () => ({ fill, tables: [] }))
  await fillSandbox(empty.filling)
  assert.deepEqual([empty.events, await empty.tx.origin.read()], [["start over with []"], undefined])
  fails = true
  await assert.rejects(
    fillSandbox(empty.filling),
    new CannotStart("PETSTORE_SEED: the data of the file cannot be stored: no such column"),
  )
})

test("a sandbox whose sample images cannot be stored does not start, and says so; a bug is not explained", async () => {
  const starting = (error: Error) => {
    using empty = emptyStore(() => Promise.reject(error))
    return fillSandbox(empty.filling)
  }
  await assert.rejects(
    starting(new StoreUnavailable("the disk is full")),
    new CannotStart("The first start cannot store the sample images: the disk is full"),
  )
  const bug = new TypeError("a bug")
  await assert.rejects(starting(bug), bug)
})

test("production starts with one account and a key with every scope, which is kept before it is stored", async () => {
  using empty = emptyStore()
  const { tx, filling, events } = empty
  const secret = await makeFirstKey(filling)
  assert.deepEqual([typeof secret, events, await tx.origin.read()], ["string", ["keep"], "production"])
  assert.deepEqual({ ...(await tx.accounts.read(1)) }, { id: 1, name: "operator", plan: "enterprise" })
  const [key] = (await tx.keys.list(1, { limit: 2, before: undefined })).items
  assert.deepEqual([key?.name, key?.createdAt], ["first key", 1_000])
  const entries = (
    await tx.audit.list({ by: undefined, since: undefined, until: undefined }, { limit: 2, before: undefined })
  ).items
  assert.deepEqual(
    entries.map(fromJson).map(({ principal, action, thing }) => [principal, action, thing]),
    [["service", "key.created", `key:${key?.id}`]],
  )
  assert.equal(await makeFirstKey(filling), undefined)
  await assert.rejects(fillSandbox(filling), (error) => {
    return error instanceof CannotStart && error.message.startsWith("The data belong to the production profile")
  })
})
