import assert from "node:assert/strict"
import { test } from "node:test"
import { addClient, sampleRecord } from "./oauth-samples.ts"
import { addAccount, addUser, type OpenStore, readPages, useStore } from "./samples.ts"

export function testOAuthClients(open: OpenStore): void {
  const store = useStore(open)
  const lock = (id: number, accountId: number) => store.transaction((tx) => tx.oauthClients.lock(id, accountId))

  test("a client reads back to its own account only, with all its properties", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const made = {
      clientId: "complete",
      name: "Wächter",
      type: "confidential",
      redirectUris: ["https://a.example/cb", "http://127.0.0.1/"],
      scopes: ["read:pets", "write:pets"],
      createdAt: "2026-01-01T00:00:00.000Z",
      expiresAt: "2027-01-01T00:00:00.000Z",
      allowedCidrs: ["192.0.2.0/24", "2001:db8::/32"],
    } as const
    const lists = {
      redirectUris: [...made.redirectUris],
      scopes: [...made.scopes],
      allowedCidrs: [...made.allowedCidrs],
    }
    const id = await addClient(store, accountId, "complete", { ...made, ...lists })
    assert.deepEqual(await store.oauthClients.read(id, accountId), { id, ...made })
    assert.equal(await store.oauthClients.read(id, other), undefined)
    const locked = await lock(id, accountId)
    assert.deepEqual(locked?.client, { id, ...made })
    assert.deepEqual(locked?.bounds, {
      userId: undefined,
      endsAt: Date.parse(made.expiresAt),
      allowedCidrs: made.allowedCidrs,
    })
    assert.equal(await lock(id, other), undefined)
  })

  test("clients are counted and listed by account, newest first", async () => {
    const [accountId, other] = [await addAccount(store), await addAccount(store)]
    const ids = [
      await addClient(store, accountId, "l1"),
      await addClient(store, accountId, "l2"),
      await addClient(store, accountId, "l3"),
    ]
    assert.deepEqual(
      { accountId: await store.oauthClients.count(accountId), other: await store.oauthClients.count(other) },
      { accountId: 3, other: 0 },
    )
    const listed = await readPages((page) => store.oauthClients.list(accountId, page))
    assert.deepEqual(
      listed.map(({ id }) => id),
      ids.toReversed(),
    )
    assert.deepEqual((await store.oauthClients.list(other, { limit: 10, before: undefined })).items, [])
  })

  test("a client depends on its creator, or on the person of its account, and ends in the protocol with them", async () => {
    const company = await addAccount(store)
    const own = await addUser(store, 10, "ada")
    const ids = [
      await addClient(store, company, "made", { userId: 10 }),
      await addClient(store, own, "own"),
      await addClient(store, company, "unowned"),
    ]
    const ofPerson = (await store.oauthClients.ofPerson(10, own)).map(({ id, accountId }) => [id, accountId])
    assert.deepEqual(ofPerson, [
      [ids[0], company],
      [ids[1], own],
    ])
    assert.equal((await store.oauthClients.byClientId("own"))?.bounds.userId, 10)
    await store.transaction((tx) => tx.users.erase(10))
    for (const clientId of ["made", "own"]) assert.equal(await store.oauthClients.byClientId(clientId), undefined)
    assert.equal((await store.oauthClients.byClientId("unowned"))?.accountId, company)
  })

  test("only name, redirect URIs and scopes change", async () => {
    const accountId = await addAccount(store)
    const id = await addClient(store, accountId, "changing")
    const before = await store.oauthClients.read(id, accountId)
    assert.ok(before)
    const change = { name: "New", redirectUris: ["https://new.example/"], scopes: ["write:pets" as const] }
    await store.transaction((tx) =>
      tx.oauthClients.put({ ...before, ...change, clientId: "other", type: "confidential" }),
    )
    assert.deepEqual(await store.oauthClients.read(id, accountId), { ...before, ...change })
  })

  test("a new secret is valid beside the one before it, and ends the one before that", async () => {
    const id = await addClient(store, await addAccount(store), "secretive")
    const secrets = async () => (await store.oauthClients.byClientId("secretive"))?.secrets
    assert.deepEqual(await secrets(), [])
    const hashes: string[] = []
    for (const n of [1, 2, 3]) {
      await store.transaction((tx) => tx.oauthClients.setSecret(id, `secret ${n}`, n * 1000))
      const [newest, previous] = (await secrets()) ?? []
      assert.match(newest?.hash ?? "", /^[0-9a-f]{64}$/)
      assert.equal(newest?.until, undefined)
      assert.deepEqual(previous, n === 1 ? undefined : { hash: hashes.at(-1), until: n * 1000 })
      hashes.push(newest?.hash ?? "")
    }
    assert.equal(new Set(hashes).size, 3)
  })

  test("removing a client removes everything that was issued to it", async () => {
    const accountId = await addAccount(store)
    const id = await addClient(store, accountId, "leaving")
    await store.transaction(async (tx) => {
      await tx.oauthRecords.put(sampleRecord("AccessToken", "of leaving", { clientId: "leaving" }))
      await tx.oauthRecords.put(sampleRecord("AccessToken", "of another", { clientId: "another" }))
      await tx.oauthClients.remove({ id, clientId: "leaving" })
    })
    assert.equal(await store.oauthClients.read(id, accountId), undefined)
    assert.equal(await store.oauthRecords.read("AccessToken", "of leaving"), undefined)
    assert.ok(await store.oauthRecords.read("AccessToken", "of another"))
  })
}
