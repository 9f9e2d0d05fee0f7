import assert from "node:assert/strict"
import { test } from "node:test"
import { UnsecuredJWT } from "jose"
import { readMetrics, sumOf } from "../harness/metrics.ts"
import { audience, startOtherIssuer } from "../harness/other-issuer.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { until } from "../harness/until.ts"
import { before, use, usePetstore } from "../harness/use.ts"

const accountOfFreeKey = 3
const other = use(() => startOtherIssuer({ petstore_account: accountOfFreeKey }))
const petstore = usePetstore(() => ({
  env: { PETSTORE_OIDC_ISSUER: other.issuer, PETSTORE_OIDC_AUDIENCE: audience },
}))
before(() => petstore.clock.advance(Date.now() - petstore.clock.now()))

const asked = (token: string, method = "GET") =>
  fetch(`${petstore.url}/api/v3/pet/1`, { method, headers: { authorization: `Bearer ${token}` } })
const status = async (token: string, method?: string) => (await asked(token, method)).status

test("a token of the trusted issuer has its scopes, for the account its claim names", async () => {
  const token = await other.token("read:pets other:things")
  const response = await asked(token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get("ratelimit-policy") ?? "", /"minute";q=60;/)
  assert.equal(await status(token, "DELETE"), 403)
})

test("a named sandbox accepts tokens of its own authorization server only", async () => {
  const pet = `${petstore.url}/s/own/api/v3/pet/1`
  assert.equal((await fetch(pet, { headers: { api_key: "special-key" } })).status, 200)
  const token = await other.token("read:pets")
  assert.equal((await fetch(pet, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  const metadata = await fetch(`${petstore.url}/.well-known/oauth-protected-resource/s/own/api/v3`)
  const { authorization_servers: servers } = (await metadata.json()) as { authorization_servers: string[] }
  assert.deepEqual(servers, [`${petstore.url}/s/own/oauth`])
})

test("the metadata names both issuers", async () => {
  const described = await fetch(`${petstore.url}/.well-known/oauth-protected-resource/api/v3`)
  const { authorization_servers: servers } = (await described.json()) as { authorization_servers: string[] }
  assert.deepEqual(servers, [`${petstore.url}/oauth`, other.issuer])
})

test("the keys are fetched once for many tokens, and again when the issuer has new ones", async () => {
  const before = other.fetches()
  for (let n = 0; n < 5; n++) assert.equal(await status(await other.forged({ jti: `many ${n}` })), 200)
  assert.equal(other.fetches(), before)

  await other.rotate()
  petstore.clock.advance(5_000)
  assert.equal(await status(await other.token("read:pets")), 200)
  assert.equal(other.fetches(), before + 1)
})

test("every defect of a token is a 401", async () => {
  const { forged, issuer, newKey } = other
  const now = Math.floor(petstore.clock.now() / 1000)
  const claims = { iss: issuer, aud: audience, sub: "s", client_id: "c", jti: "1", iat: now, exp: now + 60 }
  const wrong: Record<string, string> = {
    "another issuer": await forged({ iss: "https://evil.example" }),
    "another audience": await forged({ aud: "https://other.example" }),
    "no audience": await forged({ aud: undefined }),
    expired: await forged({ exp: now - 31 }),
    "not yet valid": await forged({ nbf: now + 31 }),
    "no expiry": await forged({ exp: undefined }),
    "no jti": await forged({ jti: undefined }),
    "an ID token": await forged({}, { typ: "JWT" }),
    "another key of the same name": await forged({}, {}, await newKey("second")),
    "the key that was rotated away": await forged({}, { kid: "first" }),
    "an account that is not there": await forged({ petstore_account: 999_999 }),
    "an account in quotes": await forged({ petstore_account: "1" }),
    "no account": await forged({ petstore_account: undefined }),
    "alg none": new UnsecuredJWT({ ...claims, petstore_account: 1, scope: "admin" }).encode(),
    "a torn signature": `${(await forged({})).slice(0, -8)}AAAAAAAA`,
    "no token": "a.b.c",
  }
  for (const [what, token] of Object.entries(wrong)) assert.equal(await status(token), 401, what)
})

test("clocks may differ by half a minute", async () => {
  const now = Math.floor(petstore.clock.now() / 1000)
  assert.equal(await status(await other.forged({ exp: now - 20, jti: "late" })), 200)
  assert.equal(await status(await other.forged({ nbf: now + 20, jti: "early" })), 200)
})

test("200 tokens of a new key at once cost the issuer one request, and tokens of unknown keys no more than one in 5 s", async () => {
  await other.rotate("third")
  petstore.clock.advance(5_000)
  const before = other.requests()
  const tokens = await Promise.all(
    Array.from({ length: 200 }, (_, n) => other.forged({ jti: `at once ${n}`, petstore_account: 1 })),
  )
  assert.deepEqual(new Set(await Promise.all(tokens.map((token) => status(token)))), new Set([200]))
  assert.equal(other.requests(), before + 1)

  for (let n = 0; n < 20; n++) assert.equal(await status(await other.forged({}, { kid: `unknown ${n}` })), 401)
  assert.equal(other.requests(), before + 1)
})

test("known keys are used for a day while the issuer is unavailable, and replaced in the background afterwards (slow)", async () => {
  const issuer = await startOtherIssuer({ petstore_account: 1 })
  const env = { PETSTORE_OIDC_ISSUER: issuer.issuer, PETSTORE_OIDC_AUDIENCE: audience }
  await using _ = issuer
  await using lonely = await startPetstore({ env })
  const token = () => issuer.forged({ jti: crypto.randomUUID(), iat: 1, exp: 2 ** 40 })
  const statusOf = async (given: string) =>
    (await fetch(`${lonely.url}/api/v3/pet/1`, { headers: { authorization: `Bearer ${given}` } })).status
  const readiness = async () => (await fetch(`${lonely.url}/readyz`)).json()
  const keysAge = async () => sumOf(await readMetrics(lonely), "petstore_issuer_keys_age_seconds")
  const isUp = async () => sumOf(await readMetrics(lonely), "petstore_issuer_up")
  assert.equal(await statusOf(await token()), 200)
  assert.deepEqual(await readiness(), { status: "ready" })

  issuer.fail(() => true)
  lonely.clock.advance(61 * 60_000)
  const before = issuer.requests()
  const tokens = await Promise.all(Array.from({ length: 200 }, token))
  assert.deepEqual(new Set(await Promise.all(tokens.map(statusOf))), new Set([200]))
  await until(async () => (await isUp()) === 0, "the issuer is still said to answer")
  assert.equal(issuer.requests(), before + 3, "two places of the metadata, and the keys")
  assert.deepEqual(await readiness(), { status: "ready", degraded: ["issuer"] })
  assert.ok((await keysAge()) >= 61 * 60)

  lonely.clock.advance(22 * 60 * 60_000)
  assert.equal(await statusOf(await token()), 200)
  assert.equal(await statusOf(await issuer.forged({}, { kid: "unknown" })), 503)
  lonely.clock.advance(60 * 60_000)
  assert.equal(await statusOf(await token()), 503)

  issuer.fail(() => false)
  lonely.clock.advance(60_000)
  assert.equal(await statusOf(await token()), 200)
  assert.deepEqual(await readiness(), { status: "ready" })
  assert.equal(await isUp(), 1)
  assert.ok((await keysAge()) < 60)
  const told = lonely.lines.filter((line) => line.includes("the external issuer"))
  assert.equal(told.length, 2, told.join())
})

test("after each failure the pause before the next request doubles, up to a minute", async () => {
  const issuer = await startOtherIssuer({ petstore_account: 1 })
  const env = { PETSTORE_OIDC_ISSUER: issuer.issuer, PETSTORE_OIDC_AUDIENCE: audience }
  await using _ = issuer
  issuer.fail(() => true)
  await using lonely = await startPetstore({ env })
  const pauses: string[] = []
  for (let n = 0; n < 8; n++) {
    const headers = { authorization: `Bearer ${await issuer.forged({})}` }
    const [first, second] = [await fetch(`${lonely.url}/api/v3/pet/1`, { headers }), issuer.requests()]
    await fetch(`${lonely.url}/api/v3/pet/1`, { headers })
    assert.equal(issuer.requests(), second)
    pauses.push(first.headers.get("retry-after") ?? "")
    lonely.clock.advance(Number(pauses.at(-1)) * 1_000)
  }
  assert.deepEqual(pauses, ["1", "2", "4", "8", "16", "32", "60", "60"])
})

test("unavailable metadata does not keep the keys from being replaced", async () => {
  const issuer = await startOtherIssuer({ petstore_account: 1 })
  const env = { PETSTORE_OIDC_ISSUER: issuer.issuer, PETSTORE_OIDC_AUDIENCE: audience }
  await using _ = issuer
  await using lonely = await startPetstore({ env })
  const get = async (headers: Record<string, string>) => (await fetch(`${lonely.url}/api/v3/pet/1`, { headers })).status
  const bearer = async () => ({ authorization: `Bearer ${await issuer.forged({ iat: 1, exp: 2 ** 40 })}` })
  assert.equal(await get(await bearer()), 200)
  issuer.fail((path) => path.startsWith("/.well-known"))
  await issuer.rotate()
  lonely.clock.advance(61 * 60_000)
  assert.equal(await get(await bearer()), 200)
  assert.deepEqual(await (await fetch(`${lonely.url}/readyz`)).json(), { status: "ready" })
})

test("metadata that names another issuer, or to which a redirect leads, is not used", async () => {
  await using issuer = await startReceiver()
  const metadata = (of: string) => JSON.stringify({ issuer: of, jwks_uri: `${issuer.url}/keys` })
  const responses: Parameters<typeof issuer.respond>[0][] = [
    (_, response) => void response.end(metadata("https://other.example")),
    ({ url }, response) =>
      void (url === "/moved"
        ? response.end(metadata(issuer.url))
        : response.writeHead(302, { location: "/moved" }).end()),
  ]
  for (const respond of responses) {
    issuer.respond(respond)
    const env = { PETSTORE_OIDC_ISSUER: issuer.url, PETSTORE_OIDC_AUDIENCE: audience }
    await using trusting = await startPetstore({ env })
    const token = await other.forged({ iss: issuer.url })
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${trusting.url}/api/v3/pet/1`, { headers })).status, 503)
  }
  const paths = new Set(issuer.received.map(({ path }) => path))
  assert.ok(paths.size > 0)
  assert.deepEqual(
    ["/keys", "/moved"].filter((path) => paths.has(path)),
    [],
  )
})

test("while the issuer is unavailable, its tokens get a 503 and all others are accepted", async () => {
  const gone = await startOtherIssuer({})
  const env = { PETSTORE_OIDC_ISSUER: gone.issuer, PETSTORE_OIDC_AUDIENCE: audience }
  const token = await gone.forged({ petstore_account: 1 })
  await gone[Symbol.asyncDispose]()
  await using lonely = await startPetstore({ env })

  const get = (headers: Record<string, string>) => fetch(`${lonely.url}/api/v3/pet/1`, { headers })
  const refused = await get({ authorization: `Bearer ${token}` })
  assert.deepEqual(
    { status: refused.status, "retry-after": refused.headers.get("retry-after") },
    { status: 503, "retry-after": "1" },
  )
  assert.equal((await get({ api_key: "special-key" })).status, 200)
  assert.equal((await get({ authorization: "Bearer unknown" })).status, 401)
})
