import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { beforeEach, test } from "node:test"
import * as oauth from "oauth4webapi"
import { allScopes, type Scope } from "../../src/core/domain/scopes.ts"
import { askFor, discover, exchange } from "../harness/oauth.ts"
import { person } from "../harness/person.ts"
import { refusedAs } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const password = "correct horse"
const redirectUri = "https://app.example/callback"
const petstore = usePetstore({}, "one for each test")
const root = petstore.as("special-key")

beforeEach(async () => {
  await root.createUser({ body: { username: "boss", password } })
  await role("admin")
})

const role = (name: "admin" | "staff") => root.grantRole({ params: { username: "boss", role: name } })
async function session() {
  const { value: token } = await root.logIn({ body: { username: "boss", password } })
  return petstore.withToken(token)
}

/** An OAuth client of the account of `special-key` with every scope that the person can grant. */
async function application() {
  const body = { name: "app", scopes: allScopes, redirectUris: [redirectUri] }
  const { value: app } = await root.createOAuthClient({ body })
  const as = await discover(petstore.url)
  const { url, state, verifier } = await askFor(as, app.clientId, redirectUri, allScopes.join(" "))
  const boss = person(petstore.url)
  await boss.go(url)
  await boss.signIn("boss", password)
  const { url: back } = await boss.allow()
  const client = { client_id: app.clientId }
  const secret = oauth.ClientSecretBasic(app.clientSecret as string)
  return petstore.withToken((await exchange(as, client, secret, { back, state, verifier, redirectUri })).access_token)
}

const keyOf = async (client: typeof root, accountId: number, scopes: Scope[] = allScopes) =>
  petstore.as((await client.createKey({ body: { name: "k", scopes, accountId } })).value.secret)

const reads = (client: typeof root) => client.getPetById({ params: { petId: 1 } })
const ended = (client: typeof root) => assert.rejects(reads(client), refusedAs("unauthorized"))

for (const [way, maker] of Object.entries({ session, application }))
  test(`what a person's ${way} created, in any account and through any chain of keys, ends with the role or the person`, async () => {
    const boss = await maker()
    const { value: elsewhere } = await root.createAccount({ body: { name: "elsewhere", plan: "pro" } })
    const first = await keyOf(boss, 1)
    const second = await keyOf(first, elsewhere.id)
    const narrow = await keyOf(second, elsewhere.id, ["read:pets"])
    const { value: rotated } = await second.rotateKey({
      params: { id: (await second.createKey({ body: { name: "k", scopes: allScopes } })).value.id },
    })
    const { value: app } = await second.createOAuthClient({ body: { name: "app", scopes: allScopes } })
    const { value: webhook } = await second.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
    await Promise.all([reads(first), reads(second), reads(narrow), reads(petstore.as(rotated.secret))])

    await role("staff")
    for (const client of [first, second, petstore.as(rotated.secret)]) await ended(client)
    assert.equal(await petstore.store.oauthClients.byClientId(app.clientId), undefined)
    assert.equal(await petstore.store.webhooks.read(webhook.id), undefined)
    await reads(narrow)
    await root.deleteUser({ params: { username: "boss" } })
    await ended(narrow)
  })

test("a key created while its person loses the role or is deleted is refused", async () => {
  const { store } = petstore
  const { user } = (await store.users.byName("boss")) ?? assert.fail()
  const late = (name: string, scopes: Scope[]) => {
    const key = { accountId: 1, name, scopes, hash: hash("sha256", name), createdAt: 0, userId: user.id }
    return store.transaction((tx) => tx.keys.add({ ...key, expiresAt: undefined, allowedCidrs: [] }))
  }
  await role("staff")
  await late("too-wide", ["admin", "read:pets"])
  await late("narrow", ["read:pets"])
  await ended(petstore.as("too-wide"))
  await reads(petstore.as("narrow"))
  await root.deleteUser({ params: { username: "boss" } })
  await late("too-late", ["read:pets"])
  await ended(petstore.as("too-late"))
})

test("what an administrator's key creates for the account of a person ends with that person", async () => {
  const { accountId } = (await petstore.store.users.byName("boss")) ?? assert.fail()
  const theirs = await keyOf(root, accountId)
  const further = await keyOf(theirs, 1)
  await reads(further)
  await root.deleteUser({ params: { username: "boss" } })
  await ended(theirs)
  await ended(further)
})
