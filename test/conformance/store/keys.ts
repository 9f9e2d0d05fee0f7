import assert from "node:assert/strict"
import { test } from "node:test"
import type { NewKey } from "../../../src/core/domain/keys/model.ts"
import { addAccount, addUser, type OpenStore, readPages, useStore } from "./samples.ts"

export function testKeys(open: OpenStore): void {
  const store = useStore(open)
  const add = (accountId: number, hash: string, more: Partial<NewKey> = {}) =>
    store.transaction((tx) =>
      tx.keys.add({
        accountId,
        name: "k",
        scopes: ["read:pets"],
        hash,
        allowedCidrs: [],
        createdAt: 1000,
        expiresAt: undefined,
        ...more,
      }),
    )
  const revoke = (id: number, accountId: number, at: number) =>
    store.transaction((tx) => tx.keys.revoke(id, accountId, at))

  test("a key is found by its id and its hash, with its account and all its properties", async () => {
    const accountId = await addAccount(store, "company")
    const made = {
      name: "Schlüssel",
      scopes: ["read:pets" as const, "write:pets" as const],
      allowedCidrs: ["192.0.2.0/24", "2001:db8::/32"],
      createdAt: 5,
      expiresAt: 9,
      endsBy: 8,
    }
    const id = await add(accountId, "complete", made)
    const key = {
      id,
      accountId,
      hash: "complete",
      ...made,
      rotatedAt: undefined,
      lastUsedAt: undefined,
      userId: undefined,
    }
    assert.deepEqual(await store.keys.read(id), key)
    assert.deepEqual(await store.keys.byHash("complete"), {
      key,
      account: { id: accountId, name: "company", plan: "free" },
      role: undefined,
    })
    assert.deepEqual(
      { read: await store.keys.read(id + 1000), byHash: await store.keys.byHash("none") },
      { read: undefined, byHash: undefined },
    )
  })

  test("keys that expire within a time are counted, up to a limit, without revoked ones", async () => {
    const accountId = await addAccount(store)
    for (const expiresAt of [5001, 5002, 5003, undefined])
      await add(accountId, `expiring ${expiresAt}`, { ...(expiresAt && { expiresAt }) })
    const revoked = await add(accountId, "expiring and revoked", { expiresAt: 5002 })
    await revoke(revoked, accountId, 1)
    const count = (after: number, last: number, limit = 10) => store.keys.countExpiring(after, last, limit)
    assert.deepEqual(
      [await count(5000, 5003), await count(5001, 5002), await count(5003, 9999), await count(5000, 5003, 2)],
      [3, 1, 0, 2],
    )
  })

  test("a key depends on its creator, or on the person of its account, and ends with them", async () => {
    const company = await addAccount(store)
    const own = await addUser(store, 10, "ada")
    const ids = [await add(company, "made", { userId: 10 }), await add(own, "own"), await add(company, "unowned")]
    assert.deepEqual(
      (await store.keys.ofPerson(10, own)).map(({ id }) => id),
      ids.slice(0, 2),
    )
    const found = await store.keys.byHash("own")
    assert.deepEqual({ userId: found?.key.userId, role: found?.role }, { userId: 10, role: "customer" })
    await store.transaction((tx) => tx.users.erase(10))
    for (const hash of ["made", "own"]) assert.equal(await store.keys.byHash(hash), undefined)
    assert.ok(await store.keys.byHash("unowned"))
  })

  test("keys are counted and listed by account, newest first, without revoked ones", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const ids = [
      await add(accountId, "l1"),
      await add(accountId, "l2"),
      await add(accountId, "l3"),
      await add(accountId, "l4"),
    ]
    await revoke(ids[1] as number, accountId, 1)
    const listed = await readPages((page) => store.keys.list(accountId, page))
    assert.deepEqual(
      listed.map(({ id }) => id),
      [ids[3], ids[2], ids[0]],
    )
    assert.deepEqual(
      { accountId: await store.keys.count(accountId), other: await store.keys.count(other) },
      { accountId: 3, other: 0 },
    )
  })

  test("a revoked key is not found, and is revoked once, by its own account", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const id = await add(accountId, "revoked")
    assert.equal(await revoke(id, other, 1), false)
    assert.ok(await store.keys.byHash("revoked"))
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => revoke(id, accountId, 1)))
    assert.equal(outcomes.filter(Boolean).length, 1)
    assert.deepEqual(
      { read: await store.keys.read(id), byHash: await store.keys.byHash("revoked") },
      { read: undefined, byHash: undefined },
    )
    assert.equal(await store.transaction((tx) => tx.keys.lock(id)), undefined)
  })

  test("of concurrent rotations of a locked key, one succeeds", async () => {
    const id = await add(await addAccount(store), "rotating")
    const rotate = () =>
      store.transaction(async (tx) => {
        const key = await tx.keys.lock(id)
        if (key?.rotatedAt !== undefined) return false
        await tx.keys.rotate(id, 50, 90)
        return true
      })
    const outcomes = await Promise.all(Array.from({ length: 10 }, rotate))
    assert.equal(outcomes.filter(Boolean).length, 1)
    const key = await store.keys.read(id)
    assert.deepEqual({ rotatedAt: key?.rotatedAt, expiresAt: key?.expiresAt }, { rotatedAt: 50, expiresAt: 90 })
  })

  test("the last use of a key only moves forward", async () => {
    const accountId = await addAccount(store)
    const [one, other] = [await add(accountId, "used 1"), await add(accountId, "used 2")]
    const use = (...uses: { id: number; at: number }[]) => store.transaction((tx) => tx.keys.used(uses))
    await use({ id: one, at: 20 }, { id: other, at: 5 })
    await use({ id: one, at: 10 }, { id: other, at: 6 })
    const used = async (id: number) => (await store.keys.read(id))?.lastUsedAt
    assert.deepEqual({ one: await used(one), other: await used(other) }, { one: 20, other: 6 })
  })

  test("revoked keys are deleted by the time of their revocation, up to the given number", async () => {
    const prune = (before: number) => store.transaction((tx) => tx.keys.prune(before, 2))
    while ((await prune(Number.MAX_SAFE_INTEGER)) > 0);
    const accountId = await addAccount(store)
    for (const at of [101, 102, 103, 104]) await revoke(await add(accountId, `pruned ${at}`), accountId, at)
    assert.deepEqual([await prune(104), await prune(104), await prune(104), await prune(105)], [2, 1, 0, 1])
  })
}
