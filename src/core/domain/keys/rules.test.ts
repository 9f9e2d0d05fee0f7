import assert from "node:assert/strict"
import { test } from "node:test"
import { Problem } from "../../kernel/problem.ts"
import { type Bounds, unbounded } from "../accounts/model.ts"
import type { Scope } from "../scopes.ts"
import type { Key } from "./model.ts"
import {
  checkKeyLimit,
  checkPrivate,
  checkRevocable,
  grantScopes,
  keyViolations,
  limitsOfKey,
  requireKey,
  rotate,
  showKey,
  showNewKey,
} from "./rules.ts"

const now = Date.UTC(2026, 0, 1)
const hour = 3_600_000
const isoAt = (ms: number) => new Date(ms).toISOString()
const key: Key = {
  id: 1,
  accountId: 2,
  name: "k",
  scopes: ["read:pets", "write:pets"],
  hash: "h",
  allowedCidrs: [],
  createdAt: now - hour,
  expiresAt: undefined,
  rotatedAt: undefined,
  lastUsedAt: undefined,
  userId: undefined,
  endsBy: undefined,
}
const detailOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.detail : outcome)

test("a key is shown with the times that it has, and never with its hash", () => {
  const shown = { id: 1, name: "k", scopes: key.scopes, allowedCidrs: [], createdAt: isoAt(key.createdAt) }
  assert.deepEqual(showKey(key), shown)
  const times = { expiresAt: isoAt(0), rotatedAt: isoAt(1), lastUsedAt: isoAt(2) }
  assert.deepEqual(showKey({ ...key, expiresAt: 0, rotatedAt: 1, lastUsedAt: 2 }), { ...shown, ...times })
  assert.deepEqual(showNewKey(5, key, "secret"), { ...shown, id: 5, secret: "secret" })
})

test("a key belongs to its account, and an administrator sees all", () => {
  const account = (id: number) => ({ id, name: "a", plan: "free" as const })
  const see = (id: number, scopes: Scope[]) => requireKey(key, { account: account(id), scopes: new Set(scopes) })
  assert.deepEqual([see(2, []), see(3, ["admin"])], [key, key])
  assert.equal(detailOf(see(3, ["manage:keys"])), "Key not found")
  assert.equal(detailOf(requireKey(undefined, { account: account(2), scopes: new Set(["admin"]) })), "Key not found")
})

test("scopes are granted and withdrawn only by those who have them", () => {
  assert.deepEqual(grantScopes(["read:pets", "read:pets"], new Set(["read:pets"])), ["read:pets"])
  const refused = grantScopes(["read:pets", "admin", "manage:keys"], new Set(["read:pets"]))
  assert.equal(detailOf(refused), "Your credential cannot grant scopes that it lacks: admin, manage:keys")
  assert.equal(checkRevocable(key, new Set(key.scopes)), key)
  assert.match(String(detailOf(checkRevocable(key, new Set(["read:pets"])))), /has scopes that your credential lacks/)
})

test("a public key of the sandbox stays as it is", () => {
  assert.equal(checkPrivate(key, new Set()), true)
  assert.match(String(detailOf(checkPrivate(key, new Set(["h"])))), /^k is a well-known key/)
})

test("an account has at most a thousand keys", () => {
  assert.equal(checkKeyLimit(999), 999)
  assert.equal(detailOf(checkKeyLimit(1000)), "The account has 1000 keys; revoke one that is not used")
})

test("a key expires in the future and not after the credential that creates it", () => {
  const details = (expiresAt: number | undefined, endsAt?: number) =>
    keyViolations(
      { ...(expiresAt !== undefined && { expiresAt: isoAt(expiresAt) }) },
      { ...unbounded, endsAt },
      now,
    ).map(({ detail }) => detail)
  assert.deepEqual([details(undefined, now + 5), details(now + 1), details(now + 5, now + 5)], [[], [], []])
  assert.deepEqual([details(now), details(now - 1)], Array(2).fill(["must be a time in the future"]))
  const later = `must not be after ${isoAt(now + 5)}, when your own credential ends`
  assert.deepEqual(details(now + 6, now + 5), [later])
})

test("the addresses of a key lie within those of the credential that creates it", () => {
  const own: Bounds = { ...unbounded, allowedCidrs: ["10.0.0.0/8", "192.0.2.0/24"] }
  const wanted = ["10.1.0.0/16", "11.0.0.0/8", "192.0.2.7/32"]
  const detail = "must lie within the addresses of your own credential: 10.0.0.0/8, 192.0.2.0/24"
  assert.deepEqual(keyViolations({ allowedCidrs: wanted }, own, now), [
    { pointer: "/allowedCidrs/1", code: "beyond-own", detail },
  ])
  assert.deepEqual(keyViolations({ allowedCidrs: wanted }, unbounded, now), [])
  assert.deepEqual(keyViolations({}, own, now), [])
})

test("a key without limits of its own has those of the credential that creates it", () => {
  const bounds: Bounds = { userId: 4, endsAt: now + hour, allowedCidrs: ["10.0.0.0/8"] }
  const inherited = { expiresAt: now + hour, allowedCidrs: ["10.0.0.0/8"], endsBy: now + hour, userId: 4 }
  assert.deepEqual(limitsOfKey({}, bounds), inherited)
  const own = limitsOfKey({ expiresAt: isoAt(now + 1), allowedCidrs: ["10.1.0.0/16"] }, bounds)
  assert.deepEqual(own, { ...inherited, expiresAt: now + 1, allowedCidrs: ["10.1.0.0/16"] })
})

test("the successor of a key lives as long, within the bounds of both credentials; the old one ends with the overlap", () => {
  const rotated = (from: Partial<Key>, bounds: Partial<Bounds> = {}, overlap = 60) => {
    const outcome = rotate({ ...key, ...from }, now, overlap, { ...unbounded, ...bounds })
    assert.ok(!(outcome instanceof Problem), String(outcome))
    const { endsAt, successor } = outcome
    const { expiresAt, endsBy, userId } = successor
    assert.equal(successor.createdAt, now)
    return { endsAt: endsAt - now, expiresAt: expiresAt && expiresAt - now, endsBy: endsBy && endsBy - now, userId }
  }
  const none = { expiresAt: undefined, endsBy: undefined, userId: undefined }
  assert.deepEqual(rotated({}), { ...none, endsAt: 60_000 })
  assert.deepEqual(rotated({ expiresAt: now + 5 }), { ...none, endsAt: 5, expiresAt: hour + 5 })
  assert.deepEqual(rotated({ expiresAt: now + 90_000 }), { ...none, endsAt: 60_000, expiresAt: hour + 90_000 })
  assert.deepEqual(rotated({ endsBy: now + 7 }), { ...none, endsAt: 60_000, expiresAt: 7, endsBy: 7 })
  assert.deepEqual(rotated({ endsBy: now + 7 }, { endsAt: now + 6 }), {
    ...none,
    endsAt: 60_000,
    expiresAt: 6,
    endsBy: 6,
  })
  assert.deepEqual(rotated({}, { endsAt: now + 6 }).expiresAt, 6)
  assert.deepEqual([rotated({ userId: 1 }).userId, rotated({ userId: 1 }, { userId: 2 }).userId], [1, 2])
  const again = rotate({ ...key, rotatedAt: 0 }, now, 60, unbounded)
  assert.equal(detailOf(again), "The key has already been rotated; rotate its successor")
})

test("the successor may be used from where both credentials may", () => {
  const blocks = (own: string[], other: string[]) => {
    const outcome = rotate({ ...key, allowedCidrs: own }, now, 60, { ...unbounded, allowedCidrs: other })
    return outcome instanceof Problem ? outcome.code : outcome.successor.allowedCidrs
  }
  assert.deepEqual(blocks(["10.0.0.0/8"], ["10.1.0.0/16", "192.0.2.0/24"]), ["10.1.0.0/16"])
  assert.deepEqual(blocks([], ["10.1.0.0/16"]), ["10.1.0.0/16"])
  assert.equal(blocks(["10.0.0.0/8"], ["192.0.2.0/24"]), "forbidden")
  const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
  assert.deepEqual(blocks(["10.0.0.0/8"], many(50)).length, 50)
  assert.equal(blocks(["10.0.0.0/8"], many(51)), "forbidden")
})
