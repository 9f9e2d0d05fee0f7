import assert from "node:assert/strict"
import { Socket } from "node:net"
import { test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { unbounded } from "../../domain/accounts/model.ts"
import type { Key } from "../../domain/keys/model.ts"
import type { Store } from "../../domain/ports/store.ts"
import { Problem } from "../../kernel/problem.ts"
import { memorySignals } from "../../storage/memory/signals.ts"
import { authenticator, bearerOf } from "./authenticate.ts"

const account = { id: 7, name: "shelter", plan: "free" as const }
const clock = manualClock()
const now = clock.now()

const key: Key = {
  id: 1,
  accountId: 7,
  name: "k",
  scopes: ["read:pets"],
  hash: "",
  allowedCidrs: [],
  createdAt: 0,
  expiresAt: undefined,
  rotatedAt: undefined,
  lastUsedAt: undefined,
  userId: undefined,
  endsBy: undefined,
}
const holder = {
  account,
  user: undefined,
  granted: ["read:pets", "admin"],
  clientScopes: ["read:pets", "write:pets"],
  clientBounds: unbounded,
  clientRole: undefined,
  oauthClientId: 3,
  expiresAt: now + 60_000,
}

type Found = { key?: Partial<Key>; role?: "customer" | "staff" | "admin"; token?: object; session?: object }

/** Authenticates where the store has this key and this token for every secret. */
function authenticating({ key: found, role, token, session }: Found, anonymousKey?: string) {
  const used: number[] = []
  const store = {
    keys: { byHash: async () => found && { key: { ...key, ...found }, account, role } },
    oauthRecords: { token: async () => token && { ...holder, ...token } },
    sessions: { byHash: async () => session },
    accounts: { read: async (id: number) => (id === 9 ? { ...account, id: 9 } : undefined) },
  }
  const authenticate = authenticator({
    store: store as unknown as Store,
    clock,
    steady: clock.steady,
    signals: memorySignals(),
    externalIssuer: undefined,
    uses: { record: (id) => void used.push(id) },
    anonymousKey,
  })
  async function by(headers: Record<string, string | string[]>, address = "192.0.2.1") {
    try {
      return await authenticate({ headers, socket: new Socket() }, address)
    } catch (error) {
      if (error instanceof Problem) return `${error.code}: ${error.detail}`
      throw error
    }
  }
  return { by, used }
}

const sent = "Send an API key in the header api_key, or an access token in Authorization: Bearer …"
const byKey = {
  account,
  ownerId: 7,
  credential: { kind: "key", id: 1 },
  scopes: new Set(["read:pets"]),
  bounds: unbounded,
}

test("a key identifies its account, and its use is recorded", async () => {
  const { by, used } = authenticating({ key: {} })
  assert.deepEqual(await by({ api_key: "special-key" }), { caller: byKey, expiresAt: undefined })
  assert.deepEqual(await by({ api_key: "special-key", authorization: "Bearer" }), {
    caller: byKey,
    expiresAt: undefined,
  })
  assert.deepEqual(await by({ api_key: "special-key", authorization: "" }), { caller: byKey, expiresAt: undefined })
  assert.deepEqual(used, [1, 1, 1])
  assert.equal(await by({}), `unauthorized: ${sent}`)
  assert.equal(await by({ api_key: "" }), `unauthorized: ${sent}`)
  assert.equal(await by({ api_key: ["a", "b"] }), `unauthorized: ${sent}`)
})

test("a key has the bounds it was made with, and says when it ends after a rotation", async () => {
  const bounded = { allowedCidrs: ["192.0.2.0/24"], expiresAt: now + 1, userId: 4 }
  const { by } = authenticating({ key: { ...bounded, rotatedAt: 5999 } })
  const found = await by({ api_key: "special-key" })
  assert.ok(typeof found === "object")
  const { caller, expiresAt, ending } = found
  assert.deepEqual(caller.bounds, { userId: 4, endsAt: now + 1, allowedCidrs: ["192.0.2.0/24"] })
  assert.deepEqual([expiresAt, ending], [now + 1, { deprecation: "@5", sunset: "Thu, 01 Jan 2026 00:00:00 GMT" }])
  const refused = "unauthorized: The API key may not be used from the address 198.51.100.1"
  assert.equal(await by({ api_key: "special-key" }, "198.51.100.1"), refused)
  const rotated = await authenticating({ key: { rotatedAt: 0 } }).by({ api_key: "special-key" })
  assert.deepEqual(typeof rotated === "object" && rotated.ending, { deprecation: "@0" })
})

test("a key that is unknown, over, or exceeds the role of its person is refused", async () => {
  const unknown = "unauthorized: The API key is unknown, expired or revoked"
  const outcome = (found: Found) => authenticating(found).by({ api_key: "special-key" })
  assert.equal(await outcome({}), unknown)
  assert.equal(await outcome({ key: { expiresAt: now } }), unknown)
  assert.equal(typeof (await outcome({ key: { expiresAt: now + 1 } })), "object")
  assert.equal(await outcome({ key: { scopes: ["read:pets", "write:pets"] }, role: "customer" }), unknown)
  assert.equal(typeof (await outcome({ key: { scopes: ["read:pets", "write:pets"] }, role: "staff" })), "object")
})

test("a key that is mistyped is not looked up", async () => {
  const incomplete = "unauthorized: The API key is not complete: a character is missing or mistyped"
  const { by } = authenticating({ key: {} })
  assert.equal(await by({ api_key: "psk_abc" }), incomplete)
  assert.equal(await by({ api_key: "a".repeat(256) }), incomplete)
  assert.equal(typeof (await by({ api_key: "a".repeat(255) })), "object")
})

test("a token has the scopes that all allow, and ends with the first of what it depends on", async () => {
  const by = async (token: object) => {
    const found = await authenticating({ token }).by({ authorization: "Bearer a" })
    assert.ok(typeof found === "object", String(found))
    const { caller, expiresAt, allows } = found
    return { ...caller, scopes: [...caller.scopes], expiresAt, allows: allows?.("192.0.2.1") }
  }
  const usual = {
    account,
    ownerId: 7,
    credential: { kind: "oauthClient", id: 3 },
    scopes: ["read:pets"],
    bounds: unbounded,
  }
  assert.deepEqual(await by({}), { ...usual, expiresAt: now + 60_000, allows: undefined })
  const clientBounds = { userId: 2, endsAt: now + 5, allowedCidrs: ["192.0.2.0/24"] }
  assert.deepEqual(await by({ clientBounds }), { ...usual, bounds: clientBounds, expiresAt: now + 5, allows: true })
  const user = { id: 4, username: "ada", role: "customer", accountId: 8 }
  const person = await by({ user, granted: ["read:pets", "write:pets"] })
  assert.deepEqual([person.ownerId, person.user, person.scopes, person.bounds.userId], [8, user, ["read:pets"], 4])
  assert.deepEqual((await by({ granted: ["write:pets"], clientRole: "customer" })).scopes, [])
  const unknown = "unauthorized: The access token is unknown, expired or revoked"
  assert.equal(await authenticating({}).by({ authorization: "Bearer a" }), unknown)
  assert.equal(await authenticating({}).by({ authorization: "Bearer a.b.c" }), unknown)
})

test("a session has the scopes of its person's role", async () => {
  const user = { id: 4, username: "ada", role: "staff", passwordHash: "x" }
  const session = { session: { id: 6, expiresAt: now + 9 }, account, user }
  const secret = "pss_00000000000000000000000000000000000000000002CZclj"
  const found = await authenticating({ session }).by({ authorization: `Bearer ${secret}` })
  assert.ok(typeof found === "object")
  const { caller, expiresAt } = found
  assert.deepEqual(
    [caller.user, caller.credential, expiresAt],
    [{ id: 4, username: "ada", role: "staff", accountId: 7 }, { kind: "session", id: 6 }, now + 9],
  )
  assert.deepEqual(
    [caller.scopes.has("write:pets"), caller.scopes.has("admin"), caller.bounds.userId],
    [true, false, 4],
  )
  assert.match(String(await authenticating({}).by({ authorization: `Bearer ${secret}` })), /access token is unknown/)
})

test("of a key and a token both must be valid, and the token decides", async () => {
  const headers = { api_key: "special-key", authorization: "Bearer a" }
  const found = await authenticating({ key: {}, token: {} }).by(headers)
  assert.equal(typeof found === "object" && found.caller.credential.kind, "oauthClient")
  assert.match(String(await authenticating({ token: {} }).by(headers)), /The API key is unknown/)
  assert.match(String(await authenticating({ key: {} }).by(headers)), /The access token is unknown/)
  const basic = await authenticating({ key: {} }).by({ authorization: "Basic a" })
  assert.equal(basic, "unauthorized: Authorization must be the word Bearer and an access token")
})

test("where anonymous requests act for a key, one without a valid credential is assumed to have it", async () => {
  const { by } = authenticating({ key: {} }, "special-key")
  const assumed = { caller: { ...byKey, isAssumed: true }, expiresAt: undefined }
  assert.deepEqual([await by({}), await by({ authorization: "Bearer a" })], [assumed, assumed])
  assert.deepEqual(await by({ api_key: "special-key" }), { caller: byKey, expiresAt: undefined })
  assert.match(String(await authenticating({}, "special-key").by({})), /The API key is unknown/)
})

test("an administrator acts for the account that a header names, which must exist", async () => {
  const { by } = authenticating({ key: { scopes: ["admin"] } })
  const acting = await by({ api_key: "special-key", "petstore-account": "9" })
  assert.ok(typeof acting === "object")
  assert.deepEqual([acting.caller.account.id, acting.caller.ownerId, acting.caller.credential.id], [9, 9, 1])
  for (const id of ["8", "0", "09", "x", "9999999999999999"])
    assert.match(String(await by({ api_key: "special-key", "petstore-account": id })), /^invalid-parameter/, id)
  const { by: reader } = authenticating({ key: {} })
  const refused = "forbidden: The header Petstore-Account requires the scope admin"
  assert.equal(await reader({ api_key: "special-key", "petstore-account": "9" }), refused)
})

test("a bearer token follows its scheme in any case, and has no spaces", () => {
  const tokens = [
    "Bearer a",
    "bearer  a.b~c+/d==",
    "Bearer",
    "Bearer a b",
    "Bearer =",
    "Basic a",
    undefined,
    "x Bearer a",
  ]
  assert.deepEqual(tokens.map(bearerOf), [
    "a",
    "a.b~c+/d==",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
