import assert from "node:assert/strict"
import { test } from "node:test"
import { sampleRecord } from "./oauth-samples.ts"
import { addAccount, type OpenStore, readPages, sampleUser, useStore } from "./samples.ts"

export function testUsers(open: OpenStore): void {
  const store = useStore(open)
  const stored = async (id: number, username: string) => ({
    user: sampleUser(id, username),
    accountId: await addAccount(store),
    passwordHash: "h",
  })

  test("a user is found in any case of the name, and name and id are unique", async () => {
    const ada = await stored(50, "Ada")
    assert.ok(await store.transaction((tx) => tx.users.add(ada)))
    assert.deepEqual((await store.users.byName("aDA"))?.user, ada.user)
    for (const taken of [sampleUser(51, "ADA"), sampleUser(50, "other")])
      assert.equal(await store.transaction((tx) => tx.users.add({ ...ada, user: taken })), false)
    await store.transaction((tx) => tx.users.put({ ...ada, user: sampleUser(50, "Eve") }))
    assert.equal(await store.users.byName("ada"), undefined)
    assert.equal(await store.users.byName("eve\u0000"), undefined)
    assert.equal((await store.users.byName("eve"))?.passwordHash, "h")
    const found = await store.users.byId(50)
    assert.deepEqual(
      { username: found?.user.username, accountId: found?.accountId },
      { username: "Eve", accountId: ada.accountId },
    )
    assert.equal(await store.users.byId(51), undefined)
    assert.equal((await store.users.ofAccount(ada.accountId))?.user.id, 50)
  })

  test("an erased user is in no query and no list, and their name and id are free", async () => {
    const gone = await stored(60, "gone")
    await store.transaction((tx) => tx.users.add(gone))
    await store.transaction((tx) => tx.users.erase(60))
    assert.equal(await store.users.byName("gone"), undefined)
    assert.equal(await store.users.byId(60), undefined)
    assert.equal(await store.users.ofAccount(gone.accountId), undefined)
    const { items } = await store.users.list({ limit: 100, sort: "-id", after: undefined })
    assert.ok(items.every((text) => JSON.parse(text).id !== 60))
    assert.ok(await store.transaction((tx) => tx.users.add({ ...gone, user: sampleUser(61, "gone") })))
    assert.ok(await store.transaction((tx) => tx.users.add({ ...gone, user: sampleUser(60, "new") })))
    assert.equal(await store.transaction((tx) => tx.users.add({ ...gone, user: sampleUser(60, "newer") })), false)
    assert.equal((await store.users.byId(60))?.user.username, "new")
    await store.transaction((tx) => tx.users.erase(60))
    const taken = await store.transaction((tx) => tx.users.add({ ...gone, user: sampleUser(60, "gone") }))
    assert.equal(taken, false, "the id is free, the name is not")
    assert.equal(await store.users.byId(60), undefined)
  })

  test("the id of an erased user who had consented to an application stays taken", async () => {
    const known = await stored(65, "known")
    await store.transaction((tx) => tx.users.add(known))
    await store.transaction((tx) => tx.oauthRecords.put(sampleRecord("Grant", "g65", { userId: 65 })))
    await store.transaction((tx) => tx.oauthRecords.removeUser(65))
    await store.transaction((tx) => tx.users.erase(65))
    assert.equal(await store.transaction((tx) => tx.users.add({ ...known, user: sampleUser(65, "new") })), false)
  })

  test("users are listed in order of id, in pages that neither skip nor repeat", async () => {
    for (const id of [700, 701, 702]) {
      const user = await stored(id, `listed ${id}`)
      await store.transaction((tx) => tx.users.add(user))
    }
    const read = async (sort: "id" | "-id") =>
      (await readPages(({ limit, before: after }) => store.users.list({ limit, sort, after }))).map(
        (text) => JSON.parse(text).id,
      )
    const ids = await read("-id")
    assert.deepEqual(ids.slice(0, 3), [702, 701, 700])
    assert.deepEqual(await read("id"), ids.toReversed())
    assert.equal(new Set(ids).size, ids.length)
  })

  test("ids ascend and skip those that clients chose", async () => {
    const first = await store.transaction((tx) => tx.users.nextId())
    const chosen = await stored(first + 1, "chosen")
    await store.transaction((tx) => tx.users.add(chosen))
    assert.equal(await store.transaction((tx) => tx.users.nextId()), first + 2)
    await store.transaction((tx) => tx.users.continueIdsAfter(first + 20))
    assert.equal(await store.transaction((tx) => tx.users.nextId()), first + 21)
  })

  test("concurrent changes of one locked user are never lost", async () => {
    const counted = await stored(900, "Counted")
    await store.transaction((tx) => tx.users.add(counted))
    const increment = () =>
      store.transaction(async (tx) => {
        const found = await tx.users.lock("counted")
        assert.ok(found)
        await tx.users.put({ ...found, user: { ...found.user, userStatus: (found.user.userStatus ?? 0) + 1 } })
      })
    await Promise.all(Array.from({ length: 30 }, increment))
    assert.equal((await store.users.byId(900))?.user.userStatus, 30)
    assert.equal(await store.transaction((tx) => tx.users.lock("unknown")), undefined)
  })
}
