import assert from "node:assert/strict"
import { before, test } from "node:test"
import type { OAuthRecord } from "../../../src/core/domain/oauth/store.ts"
import { addClient, sampleRecord } from "./oauth-samples.ts"
import { addAccount, type OpenStore, useStore } from "./samples.ts"

export function testConsents(open: OpenStore): void {
  const store = useStore(open)
  before(async () => {
    await addClient(store, await addAccount(store), "c")
  })
  const put = (kind: string, name: string, more: Partial<OAuthRecord> = {}) =>
    store.transaction((tx) => tx.oauthRecords.put(sampleRecord(kind, name, more)))
  const consents = async (userId: number, limit = 10, before?: number, now = 0) => {
    const { items, next } = await store.consents.list(userId, now, { limit, before })
    return { ids: items.map(({ id }) => id), next }
  }

  test("each grant is a consent with its own id, which saving it again keeps and which is never reused", async () => {
    for (const name of ["a", "b", "c"]) await put("Grant", name, { userId: 1, expiresAt: 100 })
    const { ids } = await consents(1)
    assert.equal(new Set(ids).size, 3)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    )
    await put("Grant", "a", { userId: 1, expiresAt: 200 })
    const { id, ...given } = (await store.oauthRecords.consentOf("a")) ?? assert.fail()
    assert.deepEqual({ id, ...given }, { id: ids[2], userId: 1, clientId: "c" })
    assert.equal(await store.oauthRecords.consentOf("unowned"), undefined)
    assert.deepEqual((await consents(1)).ids, ids)
    const [newest = 0] = ids
    assert.equal(await store.transaction((tx) => tx.consents.end(newest, 1)), true)
    await put("Grant", "d", { userId: 1, expiresAt: 100 })
    assert.ok(((await consents(1)).ids[0] ?? 0) > newest)
    assert.equal((await consents(1, 2)).next, (await consents(1, 2)).ids[1])
    assert.deepEqual((await consents(1, 10, undefined, 100)).ids, [ids[2]], "those that have ended are not listed")
  })

  test("ending a consent removes what was issued under it, only for its person", async () => {
    for (const name of ["e", "f"]) {
      await put("Grant", name, { userId: 2 })
      await put("RefreshToken", `r ${name}`, { userId: 2, grantId: name })
    }
    const [newest = 0] = (await consents(2)).ids
    assert.equal(await store.transaction((tx) => tx.consents.end(newest, 1)), false)
    assert.equal(await store.transaction((tx) => tx.consents.end(newest, 2)), true)
    assert.equal(await store.transaction((tx) => tx.consents.end(newest, 2)), false)
    assert.equal(await store.oauthRecords.read("RefreshToken", "r f"), undefined)
    assert.ok(await store.oauthRecords.read("RefreshToken", "r e"))
  })
}
