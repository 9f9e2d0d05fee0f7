import assert from "node:assert/strict"
import { randomBytes } from "node:crypto"
import { test } from "node:test"
import { unbounded } from "../../domain/accounts/model.ts"
import { mintSecret } from "../../domain/keys/secret.ts"
import type { Store } from "../../domain/ports/store.ts"
import { tokenReader } from "./access-token.ts"

const account = { id: 3, name: "a", plan: "free" } as const
const user = { id: 5, username: "ada", role: "staff", accountId: 4 } as const
const holder = {
  account,
  user: undefined,
  granted: ["read:pets", "write:pets", "admin"],
  clientScopes: ["read:pets", "write:pets", "admin", "manage:keys"],
  clientBounds: unbounded,
  clientRole: undefined,
  oauthClientId: 7,
  expiresAt: 1_000,
}

/** Reads a token of a store that finds this for every token, and says where it looked. */
async function read(token: string, found: object | undefined) {
  const looked: string[] = []
  const find = (kind: string) => async (sha256: string) => {
    looked.push(`${kind} ${sha256}`)
    return found
  }
  const store = { sessions: { byHash: find("session") }, oauthRecords: { token: find("oauth") } } as unknown as Store
  const reader = tokenReader({ store, clock: { now: () => 0 }, externalIssuer: undefined })
  return { looked, principal: await reader(token, "h") }
}

const ofClient = async (more: object) => (await read("a", { ...holder, ...more })).principal

test("the form of a token says whether it is that of a session", async () => {
  const session = { session: { id: 9, expiresAt: 50 }, account, user }
  const { looked, principal } = await read(mintSecret(randomBytes, "pss_"), session)
  assert.deepEqual([looked, principal?.expiresAt], [["session h"], 50])
  assert.deepEqual(principal?.caller, {
    account,
    ownerId: 3,
    user: { ...user, accountId: 3 },
    credential: { kind: "session", id: 9 },
    scopes: new Set(["read:pets", "write:pets", "read:orders", "write:orders", "read:users", "write:users"]),
    bounds: { ...unbounded, userId: 5 },
  })
  for (const token of [mintSecret(randomBytes, "pss_"), "pss_a", "a.b.c"])
    assert.equal((await read(token, undefined)).principal, undefined)
  assert.deepEqual((await read("a.b.c", undefined)).looked, ["oauth h"])
})

test("a token of a client acts for its account, or for the person who allowed it, within the scopes of all", async () => {
  const own = await ofClient({})
  assert.deepEqual([own?.caller.ownerId, own?.caller.user, own?.caller.bounds.userId], [3, undefined, undefined])
  assert.deepEqual(own?.caller.scopes, new Set(["read:pets", "write:pets", "admin"]))
  const ofPerson = await ofClient({ user })
  assert.deepEqual([ofPerson?.caller.ownerId, ofPerson?.caller.user, ofPerson?.caller.bounds.userId], [4, user, 5])
  assert.deepEqual(ofPerson?.caller.scopes, new Set(["read:pets", "write:pets"]))
  const made = await ofClient({ clientRole: "customer", clientBounds: { ...unbounded, userId: 6 } })
  assert.deepEqual([made?.caller.scopes, made?.caller.bounds.userId], [new Set(["read:pets"]), 6])
})

test("a token ends with its client and is used from the addresses of it", async () => {
  const within = async (clientBounds: object) => {
    const principal = await ofClient({ clientBounds: { ...unbounded, ...clientBounds } })
    return [principal?.expiresAt, principal?.allows?.("192.0.2.1"), principal?.allows?.("198.51.100.1")]
  }
  assert.deepEqual(await within({}), [1_000, undefined, undefined])
  assert.deepEqual(await within({ endsAt: 999 }), [999, undefined, undefined])
  assert.deepEqual(await within({ endsAt: 1_001 }), [1_000, undefined, undefined])
  assert.deepEqual(await within({ allowedCidrs: ["192.0.2.0/24"] }), [1_000, true, false])
})
