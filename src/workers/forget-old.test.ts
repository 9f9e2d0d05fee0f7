import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../domain/ports/store.ts"
import { cancelStaleOrders, forgetOld } from "./forget-old.ts"

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs
const now = 400 * dayMs + 5 * hourMs + 90_000
const clock = { now: () => now }
const retention = {
  events: 9 * dayMs,
  deliveries: 8 * dayMs,
  responses: 3 * dayMs,
  revokedKeys: 2 * dayMs,
  audit: 7 * dayMs,
  placedOrders: undefined,
}

/** A store that records what is deleted; each call deletes the next of these numbers, then nothing. */
function recording(...counts: number[]) {
  const calls: string[] = []
  const ofNoun = (noun: string) =>
    new Proxy(
      {},
      {
        get:
          (_, verb) =>
          async (...given: unknown[]) => {
            calls.push(`${noun}.${String(verb)} ${given.join()}`)
            return noun === "audit" ? undefined : (counts.shift() ?? 0)
          },
      },
    )
  const tx = new Proxy({}, { get: (_, noun) => ofNoun(String(noun)) })
  const store = { transaction: (work: (tx: unknown) => Promise<unknown>) => work(tx) } as unknown as Store
  return { store, calls }
}

test("everything is kept for its own time, and deliveries are deleted before what they refer to", async () => {
  const { store, calls } = recording()
  await forgetOld({ store, clock, retention })
  assert.deepEqual(calls, [
    `idempotency.prune ${now - 3 * dayMs},1000`,
    `keys.prune ${now - 2 * dayMs},1000`,
    `sessions.prune ${now},1000`,
    `limits.prune ${399 * 1440 + 4 * 60 + 1},1000`,
    `oauthRecords.prune ${now},1000`,
    `deliveries.prune ${now - 8 * dayMs},1000`,
    `events.prune ${now - 9 * dayMs},1000`,
    `webhooks.pruneSecrets ${now},1000`,
    `webhooks.prune ${now - 8 * dayMs},1000`,
    `audit.prune ${393 * dayMs},1000`,
  ])
})

test("it is deleted in batches, until one is not full", async () => {
  const { store, calls } = recording(1000, 1000, 999, 0, 1000, 1)
  await forgetOld({ store, clock, retention })
  const times = (name: string) => calls.filter((call) => call.startsWith(name)).length
  assert.deepEqual(["idempotency", "keys", "sessions", "limits"].map(times), [3, 1, 2, 1])
})

test("orders are cancelled only where they may wait for a limited time, and their number is logged", async () => {
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => void lines.push(line) }
  const asked: unknown[] = []
  const store = {
    orders: {
      waiting: async (...given: unknown[]) => {
        asked.push(given)
        return []
      },
    },
  } as unknown as Store
  assert.equal(await cancelStaleOrders({ store, clock, log, retention }), 0)
  assert.deepEqual(asked, [])
  assert.equal(await cancelStaleOrders({ store, clock, log, retention: { ...retention, placedOrders: 2 * dayMs } }), 0)
  assert.deepEqual([asked, lines], [[[now - 2 * dayMs, 100]], []])
})
