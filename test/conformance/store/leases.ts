import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testLeases(open: OpenStore): void {
  const store = useStore(open)
  const take = (name: string, holder: string, ms = 60_000) =>
    store.transaction((tx) => tx.leases.take(name, holder, ms))
  const release = (name: string, holder: string) => store.transaction((tx) => tx.leases.release(name, holder))

  test("of concurrent takers of a lease one succeeds and may renew it, and no other does", async () => {
    const holders = Array.from({ length: 20 }, (_, n) => `process ${n}`)
    const taken = await Promise.all(holders.map((holder) => take("race", holder)))
    assert.equal(taken.filter(Boolean).length, 1)
    const again = await Promise.all(holders.map((holder) => take("race", holder)))
    assert.deepEqual(again, taken)
    assert.equal(await take("another", "process 0"), true)
  })

  test("a released or expired lease is free; only its holder releases it", async () => {
    assert.equal(await take("given", "a"), true)
    await release("given", "b")
    assert.equal(await take("given", "b"), false)
    await release("given", "a")
    assert.equal(await take("given", "b"), true)
    assert.equal(await take("ended", "a", 0), true)
    assert.equal(await take("ended", "b"), true)
    assert.equal(await take("ended", "a"), false)
  })
}
