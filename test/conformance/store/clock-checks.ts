import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testClockChecks(open: OpenStore): void {
  const store = useStore(open)

  test("the clock check reads back as stored last, and does not exist before", async () => {
    assert.equal(await store.clockChecks.read(), undefined)
    const checks = [
      { checkedAt: 2 ** 42, trustedAt: 1, doubtedSince: 2 ** 42 - 1 },
      { checkedAt: 3, trustedAt: 3, doubtedSince: undefined },
    ]
    for (const check of checks) {
      await store.transaction((tx) => tx.clockChecks.put(check))
      assert.deepEqual(await store.clockChecks.read(), check)
    }
  })

  test("the database returns its own time", async () => {
    assert.ok(Math.abs((await store.clockChecks.databaseTime()) - Date.now()) < 60_000)
  })
}
