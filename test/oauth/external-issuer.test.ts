import assert from "node:assert/strict"
import { after, mock, test } from "node:test"
import { UnsecuredJWT } from "jose"
import { audience, startOtherIssuer } from "../harness/other-issuer.ts"
import { startPetstore } from "../harness/petstore.ts"
import { before, use, usePetstore } from "../harness/use.ts"

const accountOfFreeKey = 3
const other = use(() => startOtherIssuer({ petstore_account: accountOfFreeKey }))
const petstore = usePetstore(() => ({
  env: { PETSTORE_OIDC_ISSUER: other.issuer, PETSTORE_OIDC_AUDIENCE: audience },
}))
before(() => {
  petstore.clock.advance(Date.now() - petstore.clock.now())
  // jose and the other issuer have no clock but the system's.
  mock.timers.enable({ apis: ["Date"], now: petstore.clock.now() })
})
after(() => mock.timers.reset())

const asked = (token: string, method = "GET") =>
  fetch(`${petstore.url}/api/v3/pet/1`, { method, headers: { authorization: `Bearer ${token}` } })
const status = async (token: string, method?: string) => (await asked(token, method)).status

test("a token of the trusted issuer opens what its scopes say, for the account its claim names", async () => {
  const token = await other.token("read:pets other:things")
  const response = await asked(token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get("ratelimit-policy") ?? "", /"minute";q=60;/)
  assert.equal(await status(token, "DELETE"), 403)
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
  mock.timers.tick(5_000)
  petstore.clock.advance(5_000)
  assert.equal(await status(await other.token("read:pets")), 200)
  assert.equal(other.fetches(), before + 1)
})

test("whatever is wrong with a token is a 401", async () => {
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

test("while the issuer cannot be asked, its tokens get a 503 and everybody else is served", async () => {
  const gone = await startOtherIssuer({})
  const env = { PETSTORE_OIDC_ISSUER: gone.issuer, PETSTORE_OIDC_AUDIENCE: audience }
  await using lonely = await startPetstore({ env })
  const token = await gone.forged({ petstore_account: 1 })
  await gone[Symbol.asyncDispose]()

  const get = (headers: Record<string, string>) => fetch(`${lonely.url}/api/v3/pet/1`, { headers })
  const refused = await get({ authorization: `Bearer ${token}` })
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"])
  assert.equal((await get({ api_key: "special-key" })).status, 200)
  assert.equal((await get({ authorization: "Bearer unknown" })).status, 401)
})
