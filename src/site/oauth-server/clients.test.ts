import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { test } from "node:test"
import type { StoredOAuthClient } from "../../domain/oauth/store.ts"
import type { Store } from "../../domain/ports/store.ts"
import { clientsAdapter, isDocumentUrl, isSecretOf } from "./clients.ts"

const now = 1_000

/** What the authorization server reads of a client. */
async function read(changed: Partial<StoredOAuthClient>, clientId = "poc_1") {
  const client = {
    clientId: "poc_1",
    name: "Walker",
    type: "confidential",
    redirectUris: ["https://walker.example/cb"],
    scopes: ["read:pets", "write:pets"],
    secrets: [{ hash: "one" }, { hash: "two", until: now + 1 }, { hash: "three", until: now }],
    bounds: {},
    ...changed,
  }
  const byClientId = async (id: string) => (id === client.clientId ? client : undefined)
  const store = { oauthClients: { byClientId } } as unknown as Store
  return clientsAdapter({ store, clock: { now: () => now } }).find(clientId)
}

const confidential = {
  client_id: "poc_1",
  client_name: "Walker",
  redirect_uris: ["https://walker.example/cb"],
  response_types: ["code"],
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  scope: "openid read:pets write:pets",
  token_endpoint_auth_method: "client_secret_basic",
  client_secret: "one two",
}

test("a client has the grants of its type, and the hashes of its valid secrets", async () => {
  assert.deepEqual(await read({}), confidential)
  assert.deepEqual(await read({ redirectUris: [] }), {
    ...confidential,
    redirect_uris: [],
    response_types: [],
    grant_types: ["client_credentials"],
  })
  const { client_secret: _, ...others } = confidential
  assert.deepEqual(await read({ type: "public" }), {
    ...others,
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  })
  assert.equal((await read({ secrets: [] }))?.client_secret, "none")
})

test("there is no client after its end, and none that a document describes", async () => {
  assert.equal(await read({ bounds: { endsAt: now } } as Partial<StoredOAuthClient>), undefined)
  assert.deepEqual(await read({ bounds: { endsAt: now + 1 } } as Partial<StoredOAuthClient>), confidential)
  assert.equal(await read({}, "poc_2"), undefined)
  assert.equal(await read({ clientId: "https://walker.example" }, "https://walker.example"), undefined)
  assert.deepEqual(
    [isDocumentUrl("https://x.example/"), isDocumentUrl("http://x.example/"), isDocumentUrl("poc_1")],
    [true, false, false],
  )
})

test("clients are not changed by the authorization server", async () => {
  const adapter = clientsAdapter({ store: {} as Store, clock: { now: () => now } })
  assert.deepEqual([await adapter.findByUid("x"), await adapter.findByUserCode("x")], [undefined, undefined])
  for (const change of [
    adapter.upsert("x", {}, 1),
    adapter.consume("x"),
    adapter.destroy("x"),
    adapter.revokeByGrantId("x"),
  ])
    await assert.rejects(Promise.resolve(change), /clients are changed through/)
})

test("a secret is one of those whose hash is known", () => {
  const [one, two] = ["one", "two"].map((secret) => hash("sha256", secret))
  for (const secret of ["one", "two"]) assert.equal(isSecretOf(`${one} ${two}`, secret), true)
  assert.equal(isSecretOf(`${one} ${two}`, "three"), false)
  assert.equal(isSecretOf("none", "none"), false)
  assert.equal(isSecretOf("", ""), false)
  assert.equal(isSecretOf(`${one}`, `${one}`), false)
})
