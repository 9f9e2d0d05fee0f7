import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import * as oauth from "oauth4webapi"
import { insecure, refusedWith, sample, sampleSecret, useSampleApplication } from "../harness/oauth.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const application = useSampleApplication(petstore)

const pet = (token: string, init: { method?: string; headers?: Record<string, string> } = {}) =>
  fetch(`${petstore.url}/api/v3/pet/1`, {
    method: init.method ?? "GET",
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })

test("discovery lists what is offered and nothing else", async () => {
  assert.deepEqual(application.server.grant_types_supported, [
    "authorization_code",
    "refresh_token",
    "client_credentials",
  ])
  assert.deepEqual(application.server.response_types_supported, ["code"])
  assert.deepEqual(application.server.code_challenge_methods_supported, ["S256"])
  assert.equal(application.server.authorization_response_iss_parameter_supported, true)
  for (const absent of [
    "registration_endpoint",
    "userinfo_endpoint",
    "end_session_endpoint",
    "device_authorization_endpoint",
  ])
    assert.equal(application.server[absent], undefined)
  for (const path of ["/oauth/reg", "/oauth/me", "/oauth/device", "/oauth/session/end", "/oauth/request"])
    assert.equal((await fetch(petstore.url + path)).status, 404)
})

test("the metadata does not follow a forged Host", async () => {
  const response = await fetch(`${petstore.url}/oauth/.well-known/openid-configuration`, {
    headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
  })
  assert.equal(((await response.json()) as { token_endpoint: string }).token_endpoint, `${petstore.url}/oauth/token`)
})

test("a refused request leads to the authorization server through RFC 9728", async () => {
  const refused = await fetch(`${petstore.url}/api/v3/pet/1`)
  const challenge = refused.headers.get("www-authenticate") ?? ""
  const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
  assert.equal(metadata, `${petstore.url}/.well-known/oauth-protected-resource/api/v3`)

  const resource = new URL(`${petstore.url}/api/v3`)
  const described = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  assert.deepEqual(described.authorization_servers, [`${petstore.url}/oauth`])
})

test("a client is granted the scopes it requests, and all its scopes without a request", async () => {
  const response = await oauth.clientCredentialsGrantRequest(application.server, sample, sampleSecret, {}, insecure)
  const all = await oauth.processClientCredentialsResponse(application.server, sample, response)
  assert.equal(all.scope, "read:pets write:pets read:orders write:orders read:users write:users")
  assert.equal((await pet(all.access_token)).status, 200)

  const narrow = await application.clientToken("read:pets")
  assert.equal((await pet(narrow)).status, 200)
  const refused = await pet(narrow, { method: "DELETE" })
  assert.equal(refused.status, 403)
  assert.match(
    refused.headers.get("www-authenticate") ?? "",
    /^Bearer .*error="insufficient_scope", scope="write:pets"/,
  )
})

test("a scope the client may not have is refused, and so is a wrong secret", async () => {
  for (const scope of ["admin", "read:pets admin", "openid", "no:such"])
    await assert.rejects(application.clientToken(scope), refusedWith("invalid_scope"))
  for (const secret of ["wrong", "none", "sample-client-secret ", "x".repeat(5000)]) {
    const wrong = oauth.ClientSecretPost(secret)
    const response = await oauth.clientCredentialsGrantRequest(application.server, sample, wrong, {}, insecure)
    assert.equal(response.status, 401)
  }
})

test("only a hash is stored: no table holds the token itself", async () => {
  const token = await application.clientToken()
  const found = await petstore.store.oauthRecords.read("ClientCredentials", token)
  assert.equal(found, undefined)
  const record = await petstore.store.oauthRecords.read("ClientCredentials", hash("sha256", token))
  assert.ok(record && !JSON.stringify(record).includes(token))
})

test("a revoked token is refused from the next request on, and so is an expired one", async () => {
  const token = await application.clientToken()
  assert.equal((await pet(token)).status, 200)
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(application.server, sample, sampleSecret, token, insecure),
  )
  const refused = await pet(token)
  assert.equal(refused.status, 401)
  assert.match(refused.headers.get("www-authenticate") ?? "", /error="invalid_token"/)

  const another = await application.clientToken()
  petstore.clock.advance(59 * 60 * 1000)
  assert.equal((await pet(another)).status, 200)
  petstore.clock.advance(60 * 1000)
  assert.equal((await pet(another)).status, 401)
})

test("introspection shows a client the tokens of its own account only", async () => {
  const token = await application.clientToken("read:pets")
  const told = async (client: oauth.Client, auth: oauth.ClientAuth) =>
    oauth.processIntrospectionResponse(
      application.server,
      client,
      await oauth.introspectionRequest(application.server, client, auth, token, insecure),
    )
  const issued = { active: true, scope: "read:pets", client_id: "sample-client-id" }
  assert.partialDeepStrictEqual(await told(sample, sampleSecret), issued)

  const { value: stranger } = await petstore
    .as(await otherAccountsKey())
    .createOAuthClient({ body: { name: "stranger", scopes: ["read:pets"] } })
  const theirs = await told({ client_id: stranger.clientId }, oauth.ClientSecretBasic(stranger.clientSecret as string))
  assert.deepEqual(theirs, { active: false })

  const { value: colleague } = await petstore
    .as("special-key")
    .createOAuthClient({ body: { name: "colleague", scopes: ["read:pets"] } })
  const auth = oauth.ClientSecretBasic(colleague.clientSecret as string)
  assert.partialDeepStrictEqual(await told({ client_id: colleague.clientId }, auth), issued)
})

test("a client revokes its own tokens only, and a public one does not learn of others", async () => {
  const owner = petstore.as("special-key")
  const draft = { name: "other", scopes: ["read:pets" as const], redirectUris: ["https://other.example/"] }
  const { value: confidential } = await owner.createOAuthClient({ body: draft })
  const { value: open } = await owner.createOAuthClient({ body: { ...draft, type: "public" } })
  const token = await application.clientToken("read:pets")
  const revoke = async (clientId: string, auth: oauth.ClientAuth) => {
    const client = { client_id: clientId }
    const response = await oauth.revocationRequest(application.server, client, auth, token, insecure)
    const { status, headers } = response
    const isJson = headers.get("content-type")?.startsWith("application/json")
    const problem = isJson ? ((await response.json()) as { error: string }).error : await response.text()
    return [status, problem, (await pet(token)).status]
  }
  const secret = oauth.ClientSecretBasic(confidential.clientSecret as string)
  assert.deepEqual(await revoke(confidential.clientId, secret), [400, "invalid_request", 200])
  assert.deepEqual(await revoke(open.clientId, oauth.None()), [200, "", 200])
  assert.deepEqual(await revoke(sample.client_id, sampleSecret), [200, "", 401])
})

test("with both kinds of credential both must be valid, and the token decides", async () => {
  const token = await application.clientToken("read:pets")
  assert.equal((await pet(token, { headers: { api_key: "special-key" } })).status, 200)
  assert.equal((await pet(token, { headers: { api_key: "unknown" } })).status, 401)
  assert.equal((await pet("unknown", { headers: { api_key: "special-key" } })).status, 401)
  assert.equal((await pet(token, { method: "DELETE", headers: { api_key: "special-key" } })).status, 403)
})

/** A key of the account of `free-key` that may manage clients. */
async function otherAccountsKey(): Promise<string> {
  const secret = "other-accounts-key"
  await petstore.store.transaction((tx) =>
    tx.keys.add({
      accountId: 3,
      name: "manager",
      scopes: ["manage:keys", "read:pets"],
      hash: hash("sha256", secret),
      expiresAt: undefined,
      allowedCidrs: [],
      createdAt: 0,
    }),
  )
  return secret
}
