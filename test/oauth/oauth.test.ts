import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import * as oauth4web from "oauth4webapi"
import { insecure, refusedWith, useSampleApplication } from "../harness/oauth.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const owner = petstore.as("special-key")
const application = useSampleApplication(petstore)

const body = { name: "Walker 🐕", redirectUris: ["https://app.example/callback?x=1"], scopes: ["read:pets" as const] }

async function token(clientId: string, secret: string): Promise<string> {
  const client = { client_id: clientId }
  const auth = oauth4web.ClientSecretBasic(secret)
  const response = await oauth4web.clientCredentialsGrantRequest(application.server, client, auth, {}, insecure)
  return (await oauth4web.processClientCredentialsResponse(application.server, client, response)).access_token
}

const opens = async (bearer: string) =>
  (await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { authorization: `Bearer ${bearer}` } })).status

test("a registered client reads back equal, except for its secret, which is shown once", async () => {
  const { value: created } = await owner.createOAuthClient({ body })
  const { clientSecret, ...client } = created
  assert.match(clientSecret ?? "", /^pos_[\w-]{43}$/)
  assert.deepEqual((await owner.getOAuthClient({ params: { id: client.id } })).value, client)
  assert.deepEqual((await owner.listOAuthClients({ query: { limit: 1 } })).value, [client])
})

test("a public client has no secret, and requires a redirect URI", async () => {
  const { value } = await owner.createOAuthClient({ body: { ...body, type: "public" } })
  assert.equal(value.clientSecret, undefined)
  const rotating = owner.rotateOAuthClientSecret({ params: { id: value.id } })
  await assert.rejects(rotating, refusedAs("oauth-client-has-no-secret"))
  await assert.rejects(
    owner.createOAuthClient({ body: { ...body, type: "public", redirectUris: [] } }),
    refusedAs("invalid-body"),
  )
})

test("unsafe redirect URIs are refused", async () => {
  for (const uri of [
    "http://app.example/callback",
    "https://app.example/#fragment",
    "https://app.example/with space",
    "javascript:alert(1)",
    "https://",
    "https://[/",
    "http://localhost.evil.example/",
    "//app.example",
    "https://app.example/ü",
  ])
    await assert.rejects(owner.createOAuthClient({ body: { ...body, redirectUris: [uri] } }), refusedAs("invalid-body"))
})

test("a credential cannot register, extend or take over a client with scopes that it lacks", async () => {
  const { value: manager } = await owner.createOAuthClient({
    body: { name: "manager", scopes: ["manage:keys", "read:pets"] },
  })
  const bearer = await token(manager.clientId, manager.clientSecret as string)
  const limited = petstore.as("special-key", { headers: { authorization: `Bearer ${bearer}` } })

  const more = { ...body, scopes: ["read:pets", "admin"] as const }
  await assert.rejects(limited.createOAuthClient({ body: { ...more, scopes: [...more.scopes] } }), (error: unknown) => {
    const { problem } = error as { problem: { errors: { pointer: string; code: string }[] } }
    return problem.errors[0]?.pointer === "/scopes/1" && problem.errors[0]?.code === "scope-not-held"
  })
  const { value: mine } = await limited.createOAuthClient({ body })
  const widening = limited.updateOAuthClient({ params: { id: mine.id }, body: { scopes: ["admin"] } })
  await assert.rejects(widening, refusedAs("invalid-body"))

  const { value: strong } = await owner.createOAuthClient({ body: { name: "strong", scopes: ["admin"] } })
  await assert.rejects(limited.rotateOAuthClientSecret({ params: { id: strong.id } }), refusedAs("forbidden"))
})

test("a rotated secret works for another 24 hours; a second rotation ends it at once", async () => {
  const { value: client } = await owner.createOAuthClient({ body })
  const first = client.clientSecret as string
  const rotate = async () =>
    (await owner.rotateOAuthClientSecret({ params: { id: client.id } })).value.clientSecret as string

  const second = await rotate()
  await token(client.clientId, first)
  await token(client.clientId, second)
  const third = await rotate()
  await assert.rejects(token(client.clientId, first), refusedWith("invalid_client"))
  petstore.clock.advance(24 * 60 * 60 * 1000 - 1)
  await token(client.clientId, second)
  petstore.clock.advance(1)
  await assert.rejects(token(client.clientId, second), refusedWith("invalid_client"))
  await token(client.clientId, third)
})

test("a removed scope is removed from existing tokens at once, and tokens of a deleted client are refused", async () => {
  const { value: client } = await owner.createOAuthClient({ body: { ...body, scopes: ["read:pets", "write:pets"] } })
  const bearer = await token(client.clientId, client.clientSecret as string)
  assert.equal(await opens(bearer), 200)
  await owner.updateOAuthClient({ params: { id: client.id }, body: { scopes: ["write:pets"] } })
  assert.equal(await opens(bearer), 403)
  await owner.updateOAuthClient({ params: { id: client.id }, body: { scopes: ["read:pets"] } })
  assert.equal(await opens(bearer), 200)

  await owner.deleteOAuthClient({ params: { id: client.id } })
  assert.equal(await opens(bearer), 401)
  await assert.rejects(token(client.clientId, client.clientSecret as string), refusedWith("invalid_client"))
  await assert.rejects(owner.getOAuthClient({ params: { id: client.id } }), refusedAs("oauth-client-not-found"))
})

test("a client's requests count against its account's plan, together with those of its keys", async () => {
  const free = petstore.as(await managerKey())
  const { value: client } = await free.createOAuthClient({ body })
  const bearer = await token(client.clientId, client.clientSecret as string)
  const used = async (headers: Record<string, string>) => {
    const response = await fetch(`${petstore.url}/api/v3/pet/1`, { headers })
    return /"minute";r=(\d+)/.exec(response.headers.get("ratelimit") ?? "")?.[1]
  }
  assert.deepEqual(
    { token: await used({ authorization: `Bearer ${bearer}` }), key: await used({ api_key: "free-key" }) },
    { token: "58", key: "57" },
  )
})

test("an account has at most 100 clients, also under concurrent registrations; deleting one makes space (slow)", async () => {
  const manager = petstore.as(await managerKey("pro-manager", "pro-key"))
  const create = () => manager.createOAuthClient({ body })
  const outcomes = await Promise.allSettled(Array.from({ length: 105 }, create))
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 100)
  for (const outcome of outcomes)
    if (outcome.status === "rejected") assert.ok(refusedAs("too-many-oauth-clients")(outcome.reason))
  const [newest] = (await manager.listOAuthClients({ query: { limit: 1 } })).value
  await manager.deleteOAuthClient({ params: { id: newest?.id as number } })
  await create()
  await assert.rejects(create(), refusedAs("too-many-oauth-clients"))
})

async function managerKey(secret = "free-manager", of = "free-key"): Promise<string> {
  const found = await petstore.store.keys.byHash(hash("sha256", of))
  const key = { accountId: found?.account.id as number, name: "manager", hash: hash("sha256", secret) }
  await petstore.store.transaction((tx) =>
    tx.keys.add({ ...key, scopes: ["manage:keys", "read:pets"], expiresAt: undefined, allowedCidrs: [], createdAt: 0 }),
  )
  return secret
}
