import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import type { Store } from "../ports/store.ts"
import { allScopes } from "../scopes.ts"
import { createOperatorKey } from "./create-key.ts"

/** A store whose oldest account has this id, if there is one; records what is stored. */
function storeWith(account: { id: number } | undefined) {
  const stored: unknown[] = []
  const tx = {
    accounts: { first: async () => account },
    keys: {
      async add(key: object) {
        stored.push(key)
        return 9
      },
    },
    audit: { append: async (entries: object[], at: number) => void stored.push(...entries, at) },
  }
  const store = { transaction: (work: (parts: unknown) => Promise<unknown>) => work(tx) } as unknown as Store
  const create = () =>
    createOperatorKey(
      { store, clock: manualClock(5), random: (count) => new Uint8Array(count), sha256: (text) => `hash of ${text}` },
      "mine",
    )
  return { create, stored }
}

test("an operator's key has every scope, never expires, and is in the audit log", async () => {
  const { create, stored } = storeWith({ id: 3 })
  const secret = `psk_${"0".repeat(43)}2CZclj`
  assert.deepEqual(await create(), { id: 9, account: 3, secret })
  assert.deepEqual(stored, [
    {
      accountId: 3,
      name: "mine",
      scopes: allScopes,
      hash: `hash of ${secret}`,
      createdAt: 5,
      expiresAt: undefined,
      allowedCidrs: [],
    },
    {
      principal: "operator",
      action: "key.created",
      thing: "key:9",
      details: { account: 3, scopes: allScopes.join(" ") },
    },
    5,
  ])
})

test("without an account no key is created", async () => {
  const { create, stored } = storeWith(undefined)
  assert.deepEqual([await create(), stored], [undefined, []])
})
