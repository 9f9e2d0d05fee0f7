import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { test } from "node:test"
import { type JWTPayload, SignJWT } from "jose"
import { manualClock } from "../../../test/harness/clock.ts"
import type { Store } from "../../domain/ports/store.ts"
import { Problem } from "../../kernel/problem.ts"
import { externalTokens } from "./external-issuer.ts"
import type { IssuerKeys } from "./issuer-keys.ts"

const [issuer, audience] = ["https://issuer.example", "https://petstore.example/api"]
const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
const clock = manualClock()
const now = clock.now() / 1000

const tokenOf = (more: JWTPayload = {}) =>
  new SignJWT({
    iss: issuer,
    aud: audience,
    sub: "s",
    client_id: "c",
    jti: "1",
    iat: now,
    exp: now + 60,
    scope: "read:pets other:things",
    petstore_account: 3,
    ...more,
  })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt" })
    .sign(privateKey)

/** Reads a token with the key that `find` returns or fails to. */
async function read(token: string, find: () => unknown = () => publicKey) {
  const store = { accounts: { read: async (id: number) => (id === 3 ? { id, name: "a", plan: "free" } : undefined) } }
  const keys = { find: async () => find() } as unknown as IssuerKeys
  return externalTokens({ issuer, audience, keys }, { store: store as unknown as Store, clock })(token)
}

test("a token acts for the account that it names until half a minute after its end", async () => {
  const principal = await read(await tokenOf())
  assert.equal(principal?.expiresAt, clock.now() + 90_000)
  const { scopes, ownerId, credential } = principal?.caller ?? {}
  assert.deepEqual([scopes, ownerId, credential], [new Set(["read:pets"]), 3, { kind: "externalIssuer", id: 3 }])
  assert.deepEqual((await read(await tokenOf({ scope: ["read:pets"] })))?.caller.scopes, new Set())
  for (const account of [4, "3", 3.5, undefined])
    assert.equal(await read(await tokenOf({ petstore_account: account })), undefined)
})

test("clocks may differ by half a minute", async () => {
  const isRead = async (claims: JWTPayload) => (await read(await tokenOf(claims))) !== undefined
  assert.deepEqual([await isRead({ exp: now - 29 }), await isRead({ exp: now - 30 })], [true, false])
  assert.deepEqual([await isRead({ nbf: now + 30 }), await isRead({ nbf: now + 31 })], [true, false])
})

test("the keys are not needed to refuse a token of another issuer, or what is no token", async () => {
  const fail = () => assert.fail("the keys were read")
  assert.equal(await read(await tokenOf({ iss: "https://other.example" }), fail), undefined)
  assert.equal(await read("a.b.c", fail), undefined)
})

test("a problem of the keys is passed on, and a key that cannot be used is one", async () => {
  const away = new Problem("unavailable", "away")
  const throwing = (error: Error) => () => {
    throw error
  }
  const token = await tokenOf()
  await assert.rejects(read(token, throwing(away)), away)
  await assert.rejects(read(token, throwing(new TypeError("no key"))), {
    code: "unavailable",
    retryAfter: 5,
    detail: "The key that the issuer of the access token publishes cannot be used",
  })
})
