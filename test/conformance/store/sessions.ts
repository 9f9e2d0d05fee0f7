import assert from "node:assert/strict"
import { test } from "node:test"
import { addUser, type OpenStore, useStore } from "./samples.ts"

export function testSessions(open: OpenStore): void {
  const store = useStore(open)

  test("a session is found by its hash with person and account, until it is ended, replaced or pruned", async () => {
    const accountId = await addUser(store, 70, "bob")
    const add = (hash: string, expiresAt: number) =>
      store.transaction((tx) => tx.sessions.add({ userId: 70, hash, expiresAt }, 3))
    const ids: number[] = []
    for (const n of [1, 2, 3]) {
      const { id, ended } = await add(`s${n}`, n * 1000)
      assert.equal(ended, 0)
      ids.push(id)
    }
    const found = await store.sessions.byHash("s2")
    assert.equal(found?.session.id, ids[1])
    assert.deepEqual(
      { expiresAt: found?.session.expiresAt, username: found?.user.username, id: found?.account.id },
      { expiresAt: 2000, username: "bob", id: accountId },
    )
    assert.equal((await add("s4", 4000)).ended, 1)
    assert.equal(await store.sessions.byHash("s1"), undefined)
    assert.equal(await store.transaction((tx) => tx.sessions.prune(2001, 10)), 1)
    assert.equal(await store.transaction((tx) => tx.sessions.end("s3")), true)
    assert.equal(await store.transaction((tx) => tx.sessions.end("s3")), false)
    assert.ok(await store.sessions.byHash("s4"))
    await store.transaction((tx) => tx.sessions.endAll(70))
    assert.equal(await store.sessions.byHash("s4"), undefined)
  })

  test("the sessions of one user do not affect another's", async () => {
    await addUser(store, 80, "eve")
    await addUser(store, 81, "mallory")
    const add = (userId: number, hash: string) =>
      store.transaction((tx) => tx.sessions.add({ userId, hash, expiresAt: 9000 }, 1))
    await add(80, "eve's")
    assert.equal((await add(81, "mallory's")).ended, 0)
    await store.transaction((tx) => tx.sessions.endAll(81))
    assert.ok(await store.sessions.byHash("eve's"))
  })
}
