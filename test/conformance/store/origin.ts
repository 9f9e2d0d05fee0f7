import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testOrigin(open: OpenStore): void {
  const [store, other] = [useStore(open), useStore(open)]

  test("the profile that made the data is known from then on", async () => {
    assert.equal(await store.origin.read(), undefined)
    await store.transaction((tx) => tx.origin.put("production"))
    assert.equal(await store.origin.read(), "production")
  })

  test("a database has one identity, which no other has", async () => {
    const identity = await store.origin.identity()
    assert.ok(identity.length >= 16)
    assert.equal(await store.origin.identity(), identity)
    assert.notEqual(await other.origin.identity(), identity)
  })
}
