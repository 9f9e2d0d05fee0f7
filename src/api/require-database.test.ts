import assert from "node:assert/strict"
import { test } from "node:test"
import { mockTimeouts } from "../../test/harness/timeouts.ts"
import { type Store, StoreUnavailable } from "../domain/ports/store.ts"
import { requireDatabase } from "./require-database.ts"

test("a database that does not respond within two seconds is unavailable", async (t) => {
  const timers = mockTimeouts(t)
  const store = (read: () => Promise<unknown>) => ({ accounts: { read } }) as unknown as Store
  await requireDatabase(store(async () => undefined))
  const outcomes: unknown[] = []
  const waiting = requireDatabase(store(() => new Promise(() => {}))).catch((error: unknown) => outcomes.push(error))
  timers.tick(1_999)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(outcomes.length, 0)
  timers.tick(1)
  await waiting
  assert.ok(outcomes[0] instanceof StoreUnavailable)
})
