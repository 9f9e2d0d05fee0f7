import assert from "node:assert/strict"
import { test } from "node:test"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { SharedTransactions } from "./shared-transactions.ts"

test("while a transaction does not end, a thousand inputs wait for it and further ones are refused", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const shared = new SharedTransactions(async (work) => {
    await ended
    return work(undefined as never)
  }, 1)
  const work = async (_: unknown, inputs: readonly number[]) => inputs.map((input) => -input)
  const first = shared.run(work, 1)
  await new Promise(setImmediate)
  const waiting = Array.from({ length: 1_000 }, (_, n) => shared.run(work, n))
  await assert.rejects(shared.run(work, 2), StoreUnavailable)
  end()
  assert.equal(await first, -1)
  assert.deepEqual(
    await Promise.all(waiting),
    Array.from({ length: 1_000 }, (_, n) => -n),
  )
  assert.equal(await shared.run(work, 3), -3)
})
