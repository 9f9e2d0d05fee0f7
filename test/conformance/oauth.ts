import assert from "node:assert/strict"
import { after, before, describe, test } from "node:test"
import type { OAuthRecord } from "../../src/domain/oauth/store.ts"
import type { Repositories } from "../../src/domain/ports.ts"
import type { OpenStore } from "./store.ts"

const client = { clientId: "c", name: "Walker", type: "public", redirectUris: [], scopes: ["read:pets"] } as const

/** What every store must do about OAuth clients, what was issued to them, and consents. */
export function oauthConformance(adapter: string, open: () => Promise<OpenStore>): void {
  describe(`${adapter} as a store of the authorization server`, () => {
    let store: OpenStore
    let accountId: number
    before(async () => {
      store = await open()
      accountId = (await inTransaction((tx) => tx.accounts.add({ name: "a", plan: "free" }))).id
      await inTransaction((tx) => tx.oauthClients.add({ ...client, ...lists, accountId, createdAt: "2026" }))
    })
    after(() => store.close())

    const lists = { redirectUris: [], scopes: ["read:pets" as const] }
    const inTransaction = <T>(work: (tx: Repositories) => Promise<T>) => store.transaction(work)
    const put = (kind: string, name: string, more: Partial<OAuthRecord> = {}) =>
      inTransaction((tx) => tx.oauthRecords.put(record(kind, name, more)))
    const consents = async (userId: number, limit = 10, before?: number, now = 0) => {
      const { items, next } = await store.consents.list(userId, now, { limit, before })
      return { ids: items.map(({ id }) => id), next }
    }

    test("clients are counted by account", async () => {
      const other = await inTransaction((tx) => tx.accounts.add({ name: "b", plan: "free" }))
      assert.deepEqual([await store.oauthClients.count(accountId), await store.oauthClients.count(other.id)], [1, 0])
    })

    test("each grant is a consent with an id of its own, which saving it again does not change and nobody is given twice", async () => {
      for (const name of ["a", "b", "c"]) await put("Grant", name, { userId: 1, expiresAt: 100 })
      const { ids } = await consents(1)
      assert.equal(new Set(ids).size, 3)
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => b - a),
      )
      await put("Grant", "a", { userId: 1, expiresAt: 200 })
      assert.deepEqual((await consents(1)).ids, ids)
      const [newest = 0] = ids
      await inTransaction((tx) => tx.consents.end(newest, 1))
      await put("Grant", "d", { userId: 1, expiresAt: 100 })
      assert.ok(((await consents(1)).ids[0] ?? 0) > newest)
      assert.equal((await consents(1, 2)).next, (await consents(1, 2)).ids[1])
      assert.deepEqual((await consents(1, 10, undefined, 100)).ids, [ids[2]], "those that have ended are not listed")
    })

    test("ending a consent removes what was issued under it, for its person only", async () => {
      for (const name of ["e", "f"]) {
        await put("Grant", name, { userId: 2 })
        await put("RefreshToken", `r ${name}`, { userId: 2, grantId: name })
      }
      const [newest = 0] = (await consents(2)).ids
      assert.equal(await inTransaction((tx) => tx.consents.end(newest, 1)), false)
      assert.equal(await inTransaction((tx) => tx.consents.end(newest, 2)), true)
      assert.equal(await inTransaction((tx) => tx.consents.end(newest, 2)), false)
      assert.equal(await store.oauthRecords.read("RefreshToken", "r f"), undefined)
      assert.ok(await store.oauthRecords.read("RefreshToken", "r e"))
    })

    test("of a person's records of a kind those that end last are left, and always the newest", async () => {
      for (const n of [1, 2, 3, 4]) await put("Session", `s${n}`, { userId: 3, expiresAt: 100 + n })
      await put("Session", "other", { userId: 4 })
      const newest = record("Session", "s1", { userId: 3 })
      await inTransaction((tx) => tx.oauthRecords.removeOldest(newest, 2))
      const left = await Promise.all(
        ["s1", "s2", "s3", "s4", "other"].map((hash) => store.oauthRecords.read("Session", hash)),
      )
      assert.deepEqual(
        left.flatMap((found) => found?.hash ?? []),
        ["s1", "s4", "other"],
      )
    })
  })
}

const record = (kind: string, hash: string, more: Partial<OAuthRecord>): OAuthRecord => ({
  kind,
  hash,
  uid: undefined,
  grantId: kind === "Grant" ? hash : undefined,
  clientId: "c",
  userId: undefined,
  scope: "",
  json: "{}",
  expiresAt: 1000,
  consumedAt: undefined,
  ...more,
})
