import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testSigningKeys(open: OpenStore): void {
  const store = useStore(open)

  test("signing keys are listed newest first, until those from before a time are deleted", async () => {
    const keys = [1000, 3000, 2000].map((createdAt) => ({ kid: `k${createdAt}`, sealed: `s${createdAt}`, createdAt }))
    for (const key of keys) await store.transaction((tx) => tx.signingKeys.add(key))
    const all = async () => (await store.signingKeys.all()).map((key) => ({ ...key }))
    assert.deepEqual(
      await all(),
      keys.toSorted((a, b) => b.createdAt - a.createdAt),
    )
    await store.transaction((tx) => tx.signingKeys.reseal("k1000", "resealed"))
    assert.deepEqual(
      (await all()).map(({ sealed }) => sealed),
      ["s3000", "s2000", "resealed"],
    )
    await store.transaction((tx) => tx.signingKeys.prune(2000))
    assert.deepEqual(
      (await all()).map(({ kid }) => kid),
      ["k3000", "k2000"],
    )
  })

  test("of two keys with one name only one is stored", async () => {
    const key = { kid: "twin", sealed: "s", createdAt: 5000 }
    const add = () => store.transaction((tx) => tx.signingKeys.add(key))
    const outcomes = await Promise.allSettled([add(), add()])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"])
  })
}
