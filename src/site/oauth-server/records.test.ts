import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { type TestContext, test } from "node:test"
import type { AdapterPayload } from "oidc-provider"
import type { OAuthRecord } from "../../domain/oauth/store.ts"
import type { Invalidation, Signal } from "../../domain/ports/signals.ts"
import { type Store, StoreUnavailable } from "../../domain/ports/store.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { asRequestOf, recordSignIn } from "./acting.ts"
import { Provider } from "./library.ts"
import { available, recordsAdapter } from "./records.ts"

/** The time of the store, which is 10.5 seconds ahead of that of the system. */
const now = Date.UTC(2026, 0, 1) + 250
const aheadMs = 10_500
const systemSeconds = (now - aheadMs) / 1000

/** The adapter of a kind with a store that has these records, and what it changes. */
function open(t: TestContext, kind: string, records: readonly Partial<OAuthRecord>[] = []) {
  t.mock.timers.enable({ apis: ["Date"], now: now - aheadMs })
  const changes: unknown[][] = []
  const record =
    (what: string, result?: unknown) =>
    async (...parameters: unknown[]) => {
      changes.push([what, ...parameters])
      return result
    }
  const oauthRecords = {
    read: async (ofKind: string, hashed: string) =>
      records.find((each) => each.kind === ofKind && each.hash === hashed),
    byUid: async (ofKind: string, uid: string) => records.find((each) => each.kind === ofKind && each.uid === uid),
    put: record("put"),
    removeOldest: record("removeOldest"),
    remove: record("remove", [7, 8]),
    removeGrant: record("removeGrant", [9]),
    consume: async (_kind: string, hashed: string, at: number) => {
      changes.push(["consume", hashed, at])
      return records.some((each) => each.hash === hashed && each.consumedAt === undefined)
    },
    consentOf: async (grantId: string) => (grantId === "given" ? { id: 3, userId: 4, clientId: "poc_1" } : undefined),
  }
  const tx = { oauthRecords, audit: { append: record("append") } }
  const store = { oauthRecords, transaction: (work: (parts: typeof tx) => unknown) => work(tx) } as unknown as Store
  const signals = {
    announce: async (signal: Signal) => void changes.push(["announce", signal]),
  } as Partial<Invalidation> as Invalidation
  return { adapter: recordsAdapter({ store, signals, clock: { now: () => now } }, kind), changes }
}

const kept = (changed: Partial<OAuthRecord>): Partial<OAuthRecord> => ({
  kind: "AccessToken",
  hash: hash("sha256", "secret"),
  uid: "unique",
  json: JSON.stringify({ iat: 100, authTime: 200, scope: "read:pets" }),
  expiresAt: now + 1,
  consumedAt: undefined,
  ...changed,
})

test("a record is found by its id until it expires, with times of the system's clock", async (t) => {
  const { adapter } = open(t, "AccessToken", [
    kept({ expiresAt: now + 60_000, consumedAt: 4_999 }),
    kept({ hash: hash("sha256", "lasts") }),
    kept({ hash: hash("sha256", "expired"), uid: "expired", expiresAt: now }),
    kept({ hash: hash("sha256", "session"), kind: "Session" }),
  ])
  const found = { iat: 90, authTime: 190, scope: "read:pets" }
  assert.deepEqual(await adapter.find("secret"), {
    ...found,
    exp: Math.floor(systemSeconds + 60),
    jti: "secret",
    consumed: 4,
  })
  assert.deepEqual(await adapter.find("lasts"), { ...found, exp: Math.floor(systemSeconds), jti: "lasts" })
  assert.deepEqual(await adapter.findByUid("unique"), {
    ...found,
    exp: Math.floor(systemSeconds + 60),
    consumed: 4,
  })
  for (const id of ["expired", "session", "unknown"]) assert.equal(await adapter.find(id), undefined, id)
  for (const uid of ["expired", "unknown"]) assert.equal(await adapter.findByUid(uid), undefined, uid)
  assert.equal(await adapter.findByUserCode("unique"), undefined)
})

/** The record that a payload makes. */
async function put(t: TestContext, kind: string, payload: object) {
  const { adapter, changes } = open(t, kind)
  await adapter.upsert("secret", payload as AdapterPayload, 60)
  t.mock.timers.reset()
  return changes
}

const record = {
  kind: "AccessToken",
  hash: hash("sha256", "secret"),
  uid: undefined,
  grantId: undefined,
  clientId: undefined,
  userId: undefined,
  scope: "",
  json: "{}",
  expiresAt: now + 60_000,
  consumedAt: undefined,
}

test("a record is stored with times of the store's clock, and without its id and the cookie of a session", async (t) => {
  const token = {
    jti: "secret",
    uid: "unique",
    grantId: "given",
    clientId: "poc_1",
    accountId: "4",
    scope: "read:pets",
    iat: 100,
    iiat: 100.2,
    loginTs: 1,
    authTime: 2,
    exp: 3,
  }
  const { jti: _, ...stored } = token
  assert.deepEqual(await put(t, "AccessToken", token), [
    [
      "put",
      {
        ...record,
        uid: "unique",
        grantId: "given",
        clientId: "poc_1",
        userId: 4,
        scope: "read:pets",
        json: JSON.stringify({ ...stored, iat: 111, iiat: 111, loginTs: 12, authTime: 13 }),
      },
    ],
  ])
  assert.deepEqual(await put(t, "AccessToken", { scope: { read: true } }), [
    ["put", { ...record, json: '{"scope":{"read":true}}' }],
  ])
  const interaction = { ...record, kind: "Interaction", userId: 4, json: '{"session":{"accountId":"4"}}' }
  assert.deepEqual(await put(t, "Interaction", { session: { accountId: "4", cookie: "secret" } }), [
    ["put", interaction],
    ["removeOldest", interaction, 20],
  ])
})

test("what an anonymous request makes is not stored", async (t) => {
  const login = { prompt: { name: "login" } }
  const consent = { prompt: { name: "consent" } }
  const isStored = async (kind: string, payload: object) => (await put(t, kind, payload)).length > 0
  assert.deepEqual(
    {
      session: await isStored("Session", {}),
      "session of a person": await isStored("Session", { accountId: "4" }),
      "session with the prompt of an interaction": await isStored("Session", { accountId: "4", ...login }),
      login: await isStored("Interaction", login),
      consent: await isStored("Interaction", consent),
      interaction: await isStored("Interaction", {}),
      token: await isStored("AccessToken", {}),
      "token with the prompt of an interaction": await isStored("AccessToken", login),
    },
    {
      session: false,
      "session of a person": true,
      "session with the prompt of an interaction": true,
      login: false,
      consent: true,
      interaction: true,
      token: true,
      "token with the prompt of an interaction": true,
    },
  )
})

const given = { action: "consent.given", thing: "consent:3", principal: "user:4", details: { clientId: "poc_1" } }
const ended = { action: "consent.ended", thing: "consent:3", principal: "service", details: { clientId: "poc_1" } }

test("a grant is logged as given by its person, and as ended by who ended it", async (t) => {
  const grant = open(t, "Grant")
  await grant.adapter.upsert("given", { accountId: "4" }, 60)
  await grant.adapter.destroy("given")
  await grant.adapter.upsert("unknown", {}, 60)
  await grant.adapter.destroy("unknown")
  const put = { ...record, kind: "Grant" }
  assert.deepEqual(grant.changes, [
    ["put", { ...put, hash: hash("sha256", "given"), grantId: "given", userId: 4, json: '{"accountId":"4"}' }],
    ["append", [given], now],
    ["remove", "Grant", hash("sha256", "given")],
    ["append", [ended], now],
    ["announce", { kind: "credentials-changed", accountId: 7 }],
    ["announce", { kind: "credentials-changed", accountId: 8 }],
    ["put", { ...put, hash: hash("sha256", "unknown"), grantId: "unknown" }],
    ["remove", "Grant", hash("sha256", "unknown")],
    ["announce", { kind: "credentials-changed", accountId: 7 }],
    ["announce", { kind: "credentials-changed", accountId: 8 }],
  ])
})

test("other records end without an entry, alone or with their grant", async (t) => {
  const token = open(t, "AccessToken")
  await token.adapter.destroy("given")
  await token.adapter.revokeByGrantId("given")
  assert.deepEqual(token.changes, [
    ["remove", "AccessToken", hash("sha256", "given")],
    ["announce", { kind: "credentials-changed", accountId: 7 }],
    ["announce", { kind: "credentials-changed", accountId: 8 }],
    ["removeGrant", "given", "AccessToken"],
    ["announce", { kind: "credentials-changed", accountId: 9 }],
  ])
})

test("a record is consumed once; a second use is refused and ends its grant", async (t) => {
  const used = { kind: "AuthorizationCode", consumedAt: 1 }
  const { adapter, changes } = open(t, "AuthorizationCode", [
    kept({ kind: "AuthorizationCode", grantId: "given" }),
    kept({ ...used, hash: hash("sha256", "used"), grantId: "given" }),
    kept({ ...used, hash: hash("sha256", "without grant"), grantId: undefined }),
  ])
  await adapter.consume("secret")
  const refused = { name: "InvalidGrant", error: "invalid_grant" }
  for (const id of ["used", "without grant", "unknown"])
    await assert.rejects(async () => adapter.consume(id), refused, id)
  assert.deepEqual(changes, [
    ["consume", hash("sha256", "secret"), now],
    ["consume", hash("sha256", "used"), now],
    ["removeGrant", "given"],
    ["append", [ended], now],
    ["announce", { kind: "credentials-changed", accountId: 9 }],
    ["consume", hash("sha256", "without grant"), now],
    ["consume", hash("sha256", "unknown"), now],
  ])
})

test("the sign-in of a request is logged once, with its next change and its address", async (t) => {
  const { adapter, changes } = open(t, "Session")
  const exchange = { address: "192.0.2.1", id: "request" } as Exchange
  await asRequestOf(exchange, async () => {
    recordSignIn(4)
    await adapter.revokeByGrantId("one")
    await adapter.revokeByGrantId("two")
  })
  const signedIn = {
    principal: "user:4",
    address: "192.0.2.1",
    requestId: "request",
    action: "session.created",
    thing: "user:4",
  }
  const signal = ["announce", { kind: "credentials-changed", accountId: 9 }]
  assert.deepEqual(JSON.parse(JSON.stringify(changes)), [
    ["removeGrant", "one", "Session"],
    ["append", [signedIn], now],
    signal,
    ["removeGrant", "two", "Session"],
    signal,
  ])
})

test("unavailable storage is a temporary error of the protocol, and any other error stays as it is", async (t) => {
  const headers: unknown[] = []
  t.mock.getter(Provider, "ctx", () => ({ set: (...header: unknown[]) => headers.push(header) }))
  const unavailable = new StoreUnavailable("gone")
  const reported = {
    error: "temporarily_unavailable",
    error_description: "storage did not respond; try again",
    status: 503,
    statusCode: 503,
    cause: unavailable,
  }
  await assert.rejects(available(Promise.reject(unavailable)), reported)
  assert.deepEqual(headers, [["retry-after", "5"]])
  const other = new Error("other")
  await assert.rejects(available(Promise.reject(other)), (error) => error === other)
  assert.equal(await available(Promise.resolve(1)), 1)
  assert.equal(headers.length, 1)
})
