import assert from "node:assert/strict"
import { test } from "node:test"
import { type OpenStore, useStore } from "./samples.ts"

export function testReplicas(open: OpenStore): void {
  const store = useStore(open)
  const beat = (id: string) => store.transaction((tx) => tx.replicas.beat(id))

  test("a process is counted once from its heartbeat until it leaves", async () => {
    assert.deepEqual([await beat("a"), await beat("a"), await beat("b")], [1, 1, 2])
    await store.transaction((tx) => tx.replicas.leave("a"))
    assert.equal(await beat("b"), 1)
    assert.equal(await beat("a"), 2)
  })
}
