import assert from "node:assert/strict"
import { test } from "node:test"
import { type Store, StoreUnavailable } from "../domain/ports/store.ts"
import { requireDatabase } from "./require-database.ts"

test("a database that does not respond within two seconds is unavailable", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] })
  const store = (read: () => Promise<unknown>) => ({ accounts: { read } }) as unknown as Store
  await requireDatabase(store(async () => undefined))
  const outcomes: unknown[] = []
  const waiting = requireDatabase(store(() => new Promise(() => {}))).catch((error: unknown) => outcomes.push(error))
  mock.timers.tick(1_999)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(outcomes.length, 0)
  mock.timers.tick(1)
  await waiting
  assert.ok(outcomes[0] instanceof StoreUnavailable)
})
