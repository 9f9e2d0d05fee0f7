import assert from "node:assert/strict"
import { test } from "node:test"
import type { Store } from "../ports/store.ts"
import { storeUses } from "./store-uses.ts"

/** The ids of the keys that each transaction stores, for uses of so many keys. */
async function storedOf(count: number): Promise<number[][]> {
  const stored: number[][] = []
  const used = async (uses: { id: number; at: number }[]) => {
    for (const { id, at } of uses) assert.equal(at, id + 7)
    stored.push(uses.map(({ id }) => id))
  }
  const store = {
    transaction: (work: (tx: unknown) => Promise<unknown>) => work({ keys: { used } }),
  } as unknown as Store
  await storeUses(store, new Map(Array.from({ length: count }, (_, id) => [id, id + 7])))
  return stored
}

test("uses are stored 500 keys at a time, and nothing is written without uses", async () => {
  const idsBetween = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)
  assert.deepEqual(await storedOf(0), [])
  assert.deepEqual(await storedOf(500), [idsBetween(0, 500)])
  assert.deepEqual(await storedOf(501), [idsBetween(0, 500), [500]])
})
