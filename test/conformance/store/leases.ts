import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testLeases(open: OpenStore): void {
  const store = useStore(open)
  const take = (name: string, holder: string, ms = 60_000) =>
    store.transaction((tx) => tx.leases.take(name, holder, ms))
  const release = (name: string, holder: string) => store.transaction((tx) => tx.leases.release(name, holder))

  test("one of several concurrent holders takes a lease, and only that one can renew it", async () => {
    const holders = Array.from({ length: 20 }, (_, n) => `process ${n}`)
    const taken = await Promise.all(holders.map((holder) => take("race", holder)))
    assert.equal(taken.filter(Boolean).length, 1)
    const renewed = await Promise.all(holders.map((holder) => take("race", holder)))
    assert.deepEqual(renewed, taken)
    assert.equal(await take("another", "process 0"), true)
  })

  test("a released or expired lease can be taken by any holder, and only its holder can release it", async () => {
    assert.equal(await take("released", "a"), true)
    await release("released", "b")
    assert.equal(await take("released", "b"), false)
    await release("released", "a")
    assert.equal(await take("released", "b"), true)
    assert.equal(await take("ended", "a", 0), true)
    assert.equal(await take("ended", "b"), true)
    assert.equal(await take("ended", "a"), false)
  })
}
