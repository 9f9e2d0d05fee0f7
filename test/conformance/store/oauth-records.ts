import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { OAuthRecord } from "../../../src/core/domain/oauth/store.ts"
import { addClient, sampleRecord } from "./oauth-samples.ts"
import { addAccount, addUser, type OpenStore, useStore } from "./samples.ts"

export function testOAuthRecords(open: OpenStore): void {
  const store = useStore(open)
  let accountId: number
  let id: number
  before(async () => {
    accountId = await addAccount(store)
    id = await addClient(store, accountId, "c")
  })
  const put = (kind: string, name: string, more: Partial<OAuthRecord> = {}) =>
    store.transaction((tx) => tx.oauthRecords.put(sampleRecord(kind, name, more)))

  test("of a person's records of a kind those that end last remain, and always the newest", async () => {
    for (const n of [1, 2, 3, 4]) await put("Session", `s${n}`, { userId: 3, expiresAt: 100 + n })
    await put("Session", "other", { userId: 4 })
    const newest = sampleRecord("Session", "s1", { userId: 3 })
    await store.transaction((tx) => tx.oauthRecords.removeOldest(newest, 2))
    const left = await Promise.all(
      ["s1", "s2", "s3", "s4", "other"].map((hash) => store.oauthRecords.read("Session", hash)),
    )
    assert.deepEqual(
      left.flatMap((found) => found?.hash ?? []),
      ["s1", "s4", "other"],
    )
  })

  test("a record reads back by its kind and hash and by its uid, and is replaced by the next of its name", async () => {
    const session = sampleRecord("Session", "named", { uid: "u", json: '{"a":1}', consumedAt: 7, userId: 1 })
    await put("Session", "named", session)
    assert.deepEqual({ ...(await store.oauthRecords.read("Session", "named")) }, session)
    assert.deepEqual({ ...(await store.oauthRecords.byUid("Session", "u")) }, session)
    assert.equal(await store.oauthRecords.byUid("Grant", "u"), undefined)
    assert.equal(await store.oauthRecords.read("AccessToken", "named"), undefined)
    await put("Session", "named", { uid: "u", json: '{"a":2}' })
    const replaced = await store.oauthRecords.read("Session", "named")
    assert.deepEqual(
      { json: replaced?.json, consumedAt: replaced?.consumedAt, userId: replaced?.userId },
      { json: '{"a":2}', consumedAt: undefined, userId: undefined },
    )
  })

  test("of concurrent uses of a code, one succeeds", async () => {
    await put("AuthorizationCode", "code")
    const consume = () => store.transaction((tx) => tx.oauthRecords.consume("AuthorizationCode", "code", 5))
    const outcomes = await Promise.all(Array.from({ length: 20 }, consume))
    assert.equal(outcomes.filter(Boolean).length, 1)
    assert.equal((await store.oauthRecords.read("AuthorizationCode", "code"))?.consumedAt, 5)
    assert.equal(await store.transaction((tx) => tx.oauthRecords.consume("AuthorizationCode", "none", 5)), false)
  })

  test("removing a record returns the account of its client, and leaves the others of its grant", async () => {
    await put("RefreshToken", "r1", { grantId: "g1" })
    await put("AccessToken", "a1", { grantId: "g1" })
    await put("Session", "unowned", { clientId: undefined })
    const remove = (kind: string, hash: string) => store.transaction((tx) => tx.oauthRecords.remove(kind, hash))
    assert.deepEqual(await remove("RefreshToken", "r1"), [accountId])
    assert.equal(await store.oauthRecords.read("RefreshToken", "r1"), undefined)
    assert.ok(await store.oauthRecords.read("AccessToken", "a1"))
    assert.deepEqual([await remove("RefreshToken", "r1"), await remove("Session", "unowned")], [[], []])
  })

  test("removing a grant removes what was issued under it, of one kind or all, and nothing else", async () => {
    for (const grantId of ["g2", "g3"]) {
      await put("Grant", grantId)
      for (const kind of ["AccessToken", "RefreshToken"]) await put(kind, `${kind} ${grantId}`, { grantId })
    }
    const left = async () => {
      const names = ["g2", "g3"].flatMap((id) => [
        ["Grant", id],
        ["AccessToken", `AccessToken ${id}`],
        ["RefreshToken", `RefreshToken ${id}`],
      ])
      const found = await Promise.all(names.map(([kind, hash]) => store.oauthRecords.read(`${kind}`, `${hash}`)))
      return found.flatMap((record) => (record ? [record.hash] : []))
    }
    const remove = (kind?: string) => store.transaction((tx) => tx.oauthRecords.removeGrant("g2", kind))
    const others = ["g3", "AccessToken g3", "RefreshToken g3"]
    assert.deepEqual(await remove("AccessToken"), [accountId])
    assert.deepEqual(await left(), ["g2", "RefreshToken g2", ...others])
    assert.deepEqual(await remove(), [accountId])
    assert.deepEqual(await left(), others)
    assert.deepEqual(await remove(), [])
  })

  test("removing a person's records leaves those of others", async () => {
    await put("Session", "p8", { userId: 8 })
    await put("Session", "p9", { userId: 9 })
    await store.transaction((tx) => tx.oauthRecords.removeUser(8))
    assert.equal(await store.oauthRecords.read("Session", "p8"), undefined)
    assert.ok(await store.oauthRecords.read("Session", "p9"))
  })

  test("expired records are deleted, up to the given number", async () => {
    const prune = () => store.transaction((tx) => tx.oauthRecords.prune(53, 2))
    while ((await prune()) > 0);
    for (const expiresAt of [50, 51, 52, 53]) await put("Session", `e${expiresAt}`, { expiresAt })
    assert.deepEqual([await prune(), await prune(), await prune()], [2, 1, 0])
    assert.ok(await store.oauthRecords.read("Session", "e53"))
  })

  test("an access token represents its client and person, until it, its grant, its client or its person is deleted", async () => {
    const own = await addUser(store, 20, "ada")
    const issue = (hash: string, grantId: string) =>
      put("AccessToken", hash, { grantId, userId: 20, scope: "read:pets openid", expiresAt: 500 })
    await put("Grant", "tg", { userId: 20, expiresAt: 400 })
    await issue("t1", "tg")
    const token = await store.oauthRecords.token("t1")
    assert.deepEqual(
      {
        id: token?.account.id,
        oauthClientId: token?.oauthClientId,
        clientScopes: token?.clientScopes,
        granted: token?.granted,
        expiresAt: token?.expiresAt,
        user: token?.user,
      },
      {
        id: accountId,
        oauthClientId: id,
        clientScopes: ["read:pets"],
        granted: ["read:pets", "openid"],
        expiresAt: 400,
        user: { id: 20, username: "ada", role: "customer", accountId: own },
      },
    )
    assert.deepEqual(
      { userId: token?.clientBounds.userId, clientRole: token?.clientRole },
      { userId: undefined, clientRole: undefined },
    )

    await issue("t2", "no such grant")
    assert.equal(await store.oauthRecords.token("t2"), undefined)
    await put("RefreshToken", "t3", { grantId: "tg", userId: 20 })
    assert.equal(await store.oauthRecords.token("t3"), undefined, "a refresh token is no access token")
    await store.transaction((tx) => tx.users.erase(20))
    assert.equal(await store.oauthRecords.token("t1"), undefined)
  })

  test("a client's own token ends with the client, and with the person the client depends on", async () => {
    await addUser(store, 30, "maker")
    const made = await addClient(store, accountId, "made", { userId: 30, scopes: ["read:pets"] })
    await put("ClientCredentials", "own", { clientId: "made" })
    const token = await store.oauthRecords.token("own")
    assert.deepEqual(
      { user: token?.user, userId: token?.clientBounds.userId, clientRole: token?.clientRole },
      { user: undefined, userId: 30, clientRole: "customer" },
    )
    await store.transaction((tx) => tx.users.erase(30))
    assert.equal(await store.oauthRecords.token("own"), undefined)

    const gone = await addClient(store, accountId, "gone")
    await put("ClientCredentials", "of gone", { clientId: "gone" })
    assert.ok(gone > made && (await store.oauthRecords.token("of gone")))
    await store.transaction((tx) => tx.oauthClients.remove({ id: gone, clientId: "gone" }))
    assert.equal(await store.oauthRecords.token("of gone"), undefined)
  })

  test("a client that a document describes counts for each person who allows it, and outlives them", async () => {
    const clientId = "https://agent.example/client.json"
    const client = {
      clientId,
      name: "Agent",
      redirectUris: ["https://agent.example/cb"],
      scopes: ["read:pets" as const],
    }
    const keep = (name: string) =>
      store.transaction((tx) =>
        tx.oauthClients.putOfDocument({ ...client, name, createdAt: "2026-01-01T00:00:00.000Z" }),
      )
    await keep("Agent")
    const accounts = [await addUser(store, 41, "eve"), await addUser(store, 42, "max")]
    for (const [n, userId] of [41, 42].entries()) {
      await put("Grant", `doc${n}`, { clientId, userId, expiresAt: 400 })
      await put("AccessToken", `of doc${n}`, { clientId, grantId: `doc${n}`, userId, scope: "read:pets" })
      assert.equal((await store.oauthRecords.token(`of doc${n}`))?.account.id, accounts[n])
    }
    await keep("Agent 2")
    const kept = await store.oauthClients.byClientId(clientId)
    assert.deepEqual([kept?.name, kept?.type, kept?.bounds.userId], ["Agent 2", "public", undefined])
    await store.transaction((tx) => tx.users.erase(41))
    assert.equal(await store.oauthRecords.token("of doc0"), undefined)
    assert.ok(await store.oauthRecords.token("of doc1"))
    const removed = await store.transaction((tx) => tx.oauthRecords.removeGrant("doc1"))
    assert.deepEqual([...new Set(removed)], [accounts[1]])
  })
}
