import assert from "node:assert/strict"
import { test } from "node:test"
import { migratedDatabase } from "../../../../test/harness/migrated.ts"
import type { AuditFilter } from "../../../domain/audit/model.ts"
import { auditStore } from "./audit.ts"

/** An audit trail of entries at the times 1001, 1002, …. */
async function openTrail(count: number) {
  const database = migratedDatabase()
  const store = auditStore(database.connection)
  for (let n = 1; n <= count; n++)
    await store.append(
      [{ principal: n % 2 ? "operator" : "user:2", action: "key.created", thing: `key:${n}` }],
      1000 + n,
    )
  const list = async (filter: Partial<AuditFilter>, limit = 100, before?: number) => {
    const everything = { by: undefined, since: undefined, until: undefined }
    const { items, next } = await store.list({ ...everything, ...filter }, { limit, before })
    return { ids: items.map((text) => JSON.parse(text).id), next }
  }
  return {
    store,
    list,
    run: (text: string) => database.db.exec(text),
    [Symbol.dispose]: () => database[Symbol.dispose](),
  }
}

test("entries are listed newest first within a time, below an id, and up to a limit", async () => {
  using trail = await openTrail(6)
  const { list } = trail
  assert.deepEqual(await list({}), { ids: [6, 5, 4, 3, 2, 1], next: undefined })
  assert.deepEqual(await list({}, 2), { ids: [6, 5], next: 5 })
  assert.deepEqual(await list({}, 2, 5), { ids: [4, 3], next: 3 })
  assert.deepEqual(await list({}, 2, 3), { ids: [2, 1], next: undefined })
  assert.deepEqual(await list({ since: 1003, until: 1006 }), { ids: [5, 4, 3], next: undefined })
  assert.deepEqual(await list({ since: 1003, until: 1006 }, 10, 5), { ids: [4, 3], next: undefined })
  assert.deepEqual(await list({ until: 1003 }, 10, 6), { ids: [2, 1], next: undefined })
  assert.deepEqual(await list({ by: ["principal", "operator"], since: 1002 }, 1), { ids: [5], next: 5 })
  assert.deepEqual(await list({ by: ["thing", "key:4"] }), { ids: [4], next: undefined })
  assert.deepEqual([(await list({ since: 1007 })).ids, (await list({ until: 1001 })).ids], [[], []])
})

test("an entry that was changed, removed or added by hand is found, and the steps overlap by one", async () => {
  using trail = await openTrail(6)
  const { store, run } = trail
  const damaged = async (after = 0, limit = 100) => (await store.examine(after, limit)).damaged
  assert.deepEqual(await damaged(), [])
  run("UPDATE audit SET json = replace(json, 'key:2', 'key:9') WHERE id = 2")
  assert.deepEqual(await damaged(), [2])
  assert.deepEqual([await damaged(1, 1), await damaged(2), await damaged(3)], [[2], [], []])

  using shortened = await openTrail(6)
  shortened.run("DELETE FROM audit WHERE id = 3")
  assert.deepEqual((await shortened.store.examine(0, 100)).damaged, [4], "the one before it is missing")
  assert.deepEqual((await shortened.store.examine(2, 1)).damaged, [4])
  assert.deepEqual((await shortened.store.examine(3, 100)).damaged, [], "those before are not compared")

  using forged = await openTrail(6)
  forged.run(
    "UPDATE audit SET json = (SELECT json FROM audit WHERE id = 2), hash = (SELECT hash FROM audit WHERE id = 2) WHERE id = 5",
  )
  assert.deepEqual((await forged.store.examine(0, 100)).damaged, [5, 6])
})

test("the newest entry is compared with the head, once all are examined", async () => {
  using trail = await openTrail(4)
  const { store, run } = trail
  assert.deepEqual(await store.examine(0, 4), { damaged: [], last: 4 })
  assert.deepEqual(await store.examine(4, 4), { damaged: [], last: undefined })
  assert.deepEqual(await store.examine(0, 5), { damaged: [], last: undefined })
  run("UPDATE audit_head SET hash = 'other'")
  assert.deepEqual(await store.examine(0, 4), { damaged: [], last: 4 })
  assert.deepEqual(await store.examine(4, 4), { damaged: [4], last: undefined })
  run("DELETE FROM audit")
  assert.deepEqual(await store.examine(0, 4), { damaged: [], last: undefined }, "pruned to the last")
})

test("pruning removes entries before a time, up to a number, and returns where the trail begins", async () => {
  using trail = await openTrail(5)
  const { store, list } = trail
  assert.equal(await store.prune(1001, 10), undefined)
  const [second] = (
    await store.list({ by: ["thing", "key:2"], since: undefined, until: undefined }, { limit: 1, before: undefined })
  ).items
  assert.deepEqual(await store.prune(1003, 10), { through: 2, hash: JSON.parse(second ?? "").hash, count: 2 })
  assert.equal((await store.prune(2000, 2))?.count, 2)
  assert.deepEqual((await list({})).ids, [5])
  assert.equal((await store.prune(2000, 2))?.count, 1)
  assert.equal(await store.prune(2000, 2), undefined)
  await store.append([{ principal: "operator", action: "key.created", thing: "key:6" }], 3000)
  assert.deepEqual((await list({})).ids, [6])
})
