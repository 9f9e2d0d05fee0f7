import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { AuditFilter, NewEntry } from "../../../src/core/domain/audit/model.ts"
import { fromJson } from "../../../src/core/kernel/json/json.ts"
import { type OpenStore, readPages, useStore } from "./samples.ts"

const everything: AuditFilter = { by: undefined, since: undefined, until: undefined }
const entry = (n: number, more: Partial<NewEntry> = {}): NewEntry => ({
  principal: "operator",
  action: "key.created",
  thing: `key:${n}`,
  ...more,
})

export function testAudit(open: OpenStore): void {
  const store = useStore(open)
  const append = (entries: NewEntry[], at = 1000) => store.transaction((tx) => tx.audit.append(entries, at))
  const list = async (filter: Partial<AuditFilter> = {}) =>
    (await readPages((page) => store.audit.list({ ...everything, ...filter }, page))).map(fromJson)
  const ids = async (filter: Partial<AuditFilter> = {}) => (await list(filter)).map(({ id }) => id)

  test("entries are numbered without gaps, each with the hash of the one before, even if appended concurrently", async () => {
    const appending = Array.from({ length: 40 }, (_, n) => append([entry(n), entry(100 + n)]))
    const failing = Array.from({ length: 10 }, () =>
      store.transaction(async (tx) => {
        await tx.audit.append([entry(999)], 1000)
        throw new Error("undone")
      }),
    )
    assert.equal(
      (await Promise.allSettled([...appending, ...failing])).filter((o) => o.status === "rejected").length,
      10,
    )
    const entries = (await list()).reverse()
    assert.equal(entries.length, 80)
    let previous = "0".repeat(64)
    for (const [index, { hash: own, ...content }] of entries.entries()) {
      assert.deepEqual({ id: content.id, previous: content.previous }, { id: index + 1, previous })
      assert.equal(own, hash("sha256", JSON.stringify(content)))
      previous = own
    }
  })

  test("an entry contains what it was appended with", async () => {
    const who = {
      principal: "user:5",
      credential: "session:7",
      account: 3,
      address: "192.0.2.1",
      requestId: "r",
    } as const
    const appended = { ...who, action: "webhook.changed", thing: "webhook:9", details: { status: "paused" } } as const
    await append([appended], Date.UTC(2026, 0, 1))
    const [newest] = await list()
    assert.partialDeepStrictEqual(newest, { ...appended, time: "2026-01-01T00:00:00.000Z", result: "done" })
    await append([entry(0, { action: "login.refused" })])
    assert.equal((await list())[0]?.result, "refused")
  })

  test("entries are found by account, principal, action, thing and time", async () => {
    const [before = 0] = await ids()
    const at = Date.UTC(2027, 0, 1)
    await append([entry(1, { account: 77, principal: "user:77" })], at)
    await append([entry(2, { account: 77, action: "user.deleted" })], at + 1)
    await append([entry(3, { principal: "user:77", thing: "user:77" })], at + 2)
    const found = async (filter: Partial<AuditFilter>) => (await ids(filter)).map((id) => id - before)
    assert.deepEqual(await found({ by: ["account", 77] }), [2, 1])
    assert.deepEqual(await found({ by: ["principal", "user:77"] }), [3, 1])
    assert.deepEqual(await found({ by: ["action", "user.deleted"] }), [2])
    assert.deepEqual(await found({ by: ["thing", "user:77"] }), [3])
    assert.deepEqual(await found({ since: at + 1 }), [3, 2])
    assert.deepEqual(await found({ since: at, until: at + 2 }), [2, 1])
    assert.deepEqual(await found({ by: ["account", 77], since: at + 1 }), [2])
    assert.deepEqual(await found({ since: at + 3 }), [])
    assert.deepEqual(await ids({ until: 0 }), [])
  })

  test("pruning removes the oldest entries, up to a number and before the first that is recent enough", async () => {
    const oldest = async () => (await ids()).at(-1)
    const prune = (before: number, limit: number) => store.transaction((tx) => tx.audit.prune(before, limit))
    assert.equal(await prune(1000, 10), undefined)
    const third = (await list()).at(-3)
    assert.deepEqual(await prune(1001, 3), { through: 3, hash: third?.hash, count: 3 })
    assert.equal(await oldest(), 4)
    assert.equal((await prune(1001, 1000))?.through, 80)
    assert.equal(await oldest(), 81)
    await append([entry(5)])
    assert.equal((await list())[0]?.previous, (await list())[1]?.hash)
  })

  test("entries are compared with their hashes in steps, also after the oldest ones were removed", async () => {
    await append(
      [1, 2, 3, 4, 5].map((n) => entry(n)),
      5000,
    )
    const [newest = 0] = await ids()
    assert.deepEqual(await store.audit.examine(newest - 5, 2), { damaged: [], last: newest - 3 })
    assert.deepEqual(await store.audit.examine(newest - 3, 2), { damaged: [], last: newest - 1 })
    assert.deepEqual(await store.audit.examine(newest - 1, 2), { damaged: [], last: undefined })
    assert.deepEqual(await store.audit.examine(0, 1000), { damaged: [], last: undefined })
  })
}
