import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../../domain/ports/store.ts"
import { auditedStore } from "./audited-store.ts"

const actor = { principal: "key:1", address: "192.0.2.1", requestId: "r" } as const

function auditing() {
  const log: unknown[] = []
  const append = async (entries: object[], at: number) => void log.push(...entries, at)
  const inner = { transaction: (work: (tx: object) => Promise<unknown>) => work({ audit: { append } }) }
  const { store, audit } = auditedStore(inner as unknown as Store, actor, { now: () => 9 })
  return { store, audit, log }
}

test("what is noted in a transaction is written at its end, with the actor", async () => {
  const { store, audit, log } = auditing()
  const result = await store.transaction(async () => {
    audit("key.created", "key:2", { details: { account: 7 } })
    audit("key.revoked", "key:3", { details: {}, by: { principal: "user:1" } })
    audit("key.rotated", "key:4")
    assert.deepEqual(log, [])
    return "done"
  })
  assert.equal(result, "done")
  assert.deepEqual(log, [
    { ...actor, action: "key.created", thing: "key:2", details: { account: 7 } },
    { ...actor, principal: "user:1", action: "key.revoked", thing: "key:3" },
    { ...actor, action: "key.rotated", thing: "key:4" },
    9,
  ])
})

test("a transaction that notes nothing, or fails, writes nothing; outside of one nothing can be noted", async () => {
  const { store, audit, log } = auditing()
  await store.transaction(async () => {})
  const failing = store.transaction(async () => {
    audit("key.created", "key:2")
    throw new Error("failed")
  })
  await assert.rejects(failing, /failed/)
  assert.deepEqual(log, [])
  assert.throws(() => audit("key.created", "key:2"), /key.created was noted outside a transaction/)
})
