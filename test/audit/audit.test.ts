import assert from "node:assert/strict"
import { hash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import type { ClientResponse } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import type { AuditAction } from "../../src/core/domain/audit/actions.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { startPetstore } from "../harness/petstore.ts"
import { exchange } from "../harness/raw-http.ts"
import { newUser } from "../harness/samples.ts"
import { before, usePetstore } from "../harness/use.ts"

type Name = keyof typeof api
type Done = Pick<ClientResponse<unknown>, "headers"> & { value?: unknown }

const petstore = usePetstore()
const store = petstore.as("special-key")
const password = "correct horse battery staple"
const other = "incorrect horse battery staple"

/** Operations that change data other than credentials, roles, plans, webhooks, clients, consents and people. */
const unaudited: { [N in Name]?: string } = {
  addPet: "pets have events",
  importPets: "pets have events",
  updatePet: "pets have events",
  patchPet: "pets have events",
  updatePetWithForm: "pets have events",
  deletePet: "pets have events",
  patchPets: "pets have events",
  deletePets: "pets have events",
  uploadFile: "pets have events",
  deletePetImage: "pets have events",
  placeOrder: "orders have events",
  patchOrder: "orders have events",
  deleteOrder: "orders have events",
  testWebhook: "a delivery is a record of its own",
  retryDelivery: "a delivery is a record of its own",
  retryFailedDeliveries: "a delivery is a record of its own",
}

let users = 0
async function addUser(): Promise<{ username: string; token: string; id: number }> {
  const { id, username, password } = await newUser(store)
  const { value: token } = await store.logIn({ body: { username, password } })
  return { username, token, id }
}

/** An admin with a key, an OAuth client and a webhook. */
async function addEquippedUser() {
  const user = await addUser()
  await store.grantRole({ params: { username: user.username, role: "admin" } })
  const own = petstore.withToken(user.token)
  await own.createKey({ body: { name: "k", scopes: ["admin"] } })
  await own.createOAuthClient({ body: { name: "c", scopes: ["admin"], redirectUris: [] } })
  await own.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  return user
}

const addKey = async () => (await store.createKey({ body: { name: "k", scopes: ["read:pets"] } })).value.id
const addClient = async () => (await store.createOAuthClient({ body: { name: "c", scopes: ["read:pets"] } })).value.id
const addWebhook = async () => (await store.createWebhook({ body: { url: "http://127.0.0.1:9/" } })).value.id

/** A consent of user1, as oidc-provider stores it. */
async function addConsent(): Promise<number> {
  await petstore.store.transaction((tx) =>
    tx.oauthRecords.put({
      kind: "Grant",
      hash: "g",
      uid: undefined,
      grantId: "g",
      clientId: "sample-client-id",
      scope: "",
      userId: 1001,
      json: '{"iat":1}',
      expiresAt: petstore.clock.now() + 1000,
      consumedAt: undefined,
    }),
  )
  return (await petstore.store.oauthRecords.consentOf("g"))?.id as number
}

/** Runs each audited operation once, so that it performs every action it lists. */
const trials: { [N in Name]?: () => Promise<Done> } = {
  createAccount: () => store.createAccount({ body: { name: "a", plan: "free" } }),
  patchAccount: () => store.patchAccount({ params: { id: 1 }, body: { plan: "enterprise" } }),
  createKey: () => store.createKey({ body: { name: "k", scopes: ["read:pets"] } }),
  revokeKey: async () => store.revokeKey({ params: { id: await addKey() } }),
  rotateKey: async () => store.rotateKey({ params: { id: await addKey() } }),
  createOAuthClient: () => store.createOAuthClient({ body: { name: "c", scopes: ["read:pets"] } }),
  updateOAuthClient: async () => store.updateOAuthClient({ params: { id: await addClient() }, body: { name: "d" } }),
  deleteOAuthClient: async () => store.deleteOAuthClient({ params: { id: await addClient() } }),
  rotateOAuthClientSecret: async () => store.rotateOAuthClientSecret({ params: { id: await addClient() } }),
  endConsent: async () => {
    const { value: token } = await store.logIn({ body: { username: "user1", password: "password1" } })
    return petstore.withToken(token).endConsent({ params: { id: await addConsent() } })
  },
  createWebhook: () => store.createWebhook({ body: { url: "http://127.0.0.1:9/" } }),
  updateWebhook: async () =>
    store.updateWebhook({ params: { webhookId: await addWebhook() }, body: { ordered: true } }),
  deleteWebhook: async () => store.deleteWebhook({ params: { webhookId: await addWebhook() } }),
  rotateWebhookSecret: async () => store.rotateWebhookSecret({ params: { webhookId: await addWebhook() } }),
  createUser: () => store.createUser({ body: { username: `audited-${++users}`, password } }),
  createUsersWithListInput: () =>
    store.createUsersWithListInput({ body: [{ username: `audited-${++users}`, password }] }),
  updateUser: async () => {
    const { username, token } = await addUser()
    const body = { password: other, currentPassword: password }
    return petstore.withToken(token).updateUser({ params: { username }, body })
  },
  deleteUser: async () => store.deleteUser({ params: { username: (await addEquippedUser()).username } }),
  grantRole: async () =>
    store.grantRole({ params: { username: (await addEquippedUser()).username, role: "customer" } }),
  resetPassword: async () =>
    store.resetPassword({ params: { username: (await addUser()).username }, body: { password: other } }),
  logIn: () => store.logIn({ body: { username: "user1", password: "password1" } }),
  loginUser: () => store.loginUser({ query: { username: "user1", password: "password1" } }),
  logOut: async () => petstore.withToken((await addUser()).token).logOut(),
  logoutUser: async () => petstore.withToken((await addUser()).token).logoutUser(),
}

const mutating = Object.entries<Endpoint>(api).filter(([, { method, audited }]) => method !== "GET" || audited)

const entriesOf = async ({ headers }: Done) => {
  const { value } = await store.listAudit({ query: { limit: 1000 } })
  return value.filter(({ requestId }) => requestId === headers.get("x-request-id")).reverse()
}

test("every operation that changes data is either audited and tested here, or listed as needing no entry", () => {
  const sorted = (names: Iterable<string>) => [...names].toSorted()
  const audited = mutating.filter(([name]) => !(name in unaudited))
  assert.deepEqual(
    audited.filter(([, endpoint]) => !endpoint.audited).map(([name]) => name),
    [],
  )
  assert.deepEqual(sorted(audited.map(([name]) => name)), sorted(Object.keys(trials)))
  assert.ok(Object.keys(unaudited).every((name) => mutating.some(([known]) => known === name)))
})

for (const [name, { audited = [] }] of mutating) {
  const trial = trials[name as Name]
  if (!trial) continue
  test(`${name} writes an entry for every action it lists, with actor and address`, async () => {
    const entries = await entriesOf(await trial())
    assert.deepEqual(new Set(entries.map(({ action }) => action)), new Set(audited as AuditAction[]))
    for (const { principal, address, thing, result } of entries)
      assert.ok(principal && address === "127.0.0.1" && thing && result === "done", JSON.stringify(entries))
  })
}

test("a refused operation writes no entry", async () => {
  const count = async () => (await store.listAudit({ query: { limit: 1 } })).value[0]?.id
  const earlier = await count()
  await assert.rejects(store.createUser({ body: { username: "user1", password } }))
  await assert.rejects(store.patchAccount({ params: { id: 999_999 }, body: { plan: "pro" } }))
  await assert.rejects(store.createKey({ body: { name: "k", scopes: ["admin"], accountId: 999_999 } }))
  assert.equal(await count(), earlier)
})

test("the actor is the person, with the session as credential, or the program", async () => {
  const { token, id } = await addUser()
  const [made] = await entriesOf(await store.createKey({ body: { name: "k", scopes: ["read:pets"] } }))
  assert.deepEqual(
    { principal: made?.principal, credential: made?.credential, account: made?.account },
    { principal: "key:1", credential: "key:1", account: 1 },
  )
  const [ended] = await entriesOf(await petstore.withToken(token).logOut())
  assert.deepEqual(
    { principal: ended?.principal, credential: ended?.credential, thing: ended?.thing },
    { principal: `user:${id}`, credential: ended?.thing, thing: ended?.credential },
  )
  const [created] = await entriesOf((await trials.createUser?.()) as Done)
  assert.deepEqual(
    { principal: created?.principal, account: created?.account },
    { principal: "anonymous", account: undefined },
  )
})

test("entries are listed newest first by one filter and time; two filters are refused", async () => {
  const { username, id } = await addUser()
  const since = new Date(petstore.clock.now() + 1).toISOString()
  petstore.clock.advance(1)
  await store.grantRole({ params: { username, role: "staff" } })
  petstore.clock.advance(1)
  const until = new Date(petstore.clock.now()).toISOString()
  await store.deleteUser({ params: { username } })
  const actions = async (query: object) => (await store.listAudit({ query })).value.map(({ action }) => action)
  const thing = `user:${id}`
  assert.deepEqual(await actions({ thing }), ["user.deleted", "user.role-changed", "user.created"])
  assert.deepEqual(await actions({ thing, since, until }), ["user.role-changed"])
  assert.deepEqual(new Set(await actions({ action: "key.revoked" })), new Set(["key.revoked"]))
  await assert.rejects(store.listAudit({ query: { thing, account: 1 } }), /cannot be combined with account/)
  await assert.rejects(store.listAudit({ query: { action: "key.revokd" } }), /did you mean key.revoked\?/)
  const page = await store.listAudit({ query: { limit: 2 } })
  assert.match(page.headers.get("link") ?? "", /rel="next"/)
})

const wrongLogin = (username: string, given: string) =>
  assert.rejects(store.logIn({ body: { username, password: given } }), /username or the password/)

test("a refused login is written in a transaction of its own, up to twenty an hour from a network", async () => {
  petstore.clock.advance(60 * 60 * 1000)
  const refused = async () => (await store.listAudit({ query: { action: "login.refused" } })).value
  const earlier = (await refused()).length
  await wrongLogin("user1", other)
  await wrongLogin("unknown-of-this-name", other)
  const [unknown, known] = await refused()
  assert.deepEqual(
    { thing: known?.thing, principal: known?.principal, result: known?.result },
    { thing: "user:1001", principal: "anonymous", result: "refused" },
  )
  assert.equal(unknown?.thing, undefined)
  for (let n = 0; n < 30; n++) await wrongLogin(`unknown-${n}`, other)
  assert.equal((await refused()).length - earlier, 20)
  petstore.clock.advance(60 * 60 * 1000)
  await wrongLogin("user2", other)
  assert.equal((await refused()).length - earlier, 21)
})

test("of all networks together, three hundred refused logins an hour are written (slow)", async () => {
  await using proxied = await startPetstore({ env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } })
  const logIn = (n: number) => {
    const from = { headers: { "x-forwarded-for": `192.0.2.${n % 16}` } }
    return fetch(`${proxied.url}/api/v3/user/login?username=unknown-${n}&password=wrong`, from)
  }
  for (let n = 0; n < 16 * 20; n += 16) await Promise.all(Array.from({ length: 16 }, (_, more) => logIn(n + more)))
  const query = { action: "login.refused", limit: 1_000 }
  assert.equal((await proxied.as("special-key").listAudit({ query })).value.length, 300)
})

test("a wrong current password is recorded as a refused login of the caller, and changes nothing", async () => {
  petstore.clock.advance(60 * 60 * 1000)
  const { username, token, id } = await addUser()
  const own = petstore.withToken(token)
  const change = own.updateUser({ params: { username }, body: { email: "a@example.com", currentPassword: other } })
  await assert.rejects(change, /current password/)
  const { value } = await store.listAudit({ query: { principal: `user:${id}`, limit: 1 } })
  assert.deepEqual(
    { action: value[0]?.action, thing: value[0]?.thing, hasAccount: value[0]?.account !== undefined },
    { action: "login.refused", thing: `user:${id}`, hasAccount: true },
  )
})

const secrets: string[] = [password, other, "password1", "special-key", "sample-client-secret"]

before(async () => {
  const keep = <T>(value: T): T => {
    for (const [name, text] of Object.entries(value as object))
      if (/secret$/i.test(name) && typeof text === "string") secrets.push(text)
    return value
  }
  const { value: key } = await store.createKey({ body: { name: "k", scopes: ["read:pets"] } })
  keep(key)
  keep((await store.rotateKey({ params: { id: key.id } })).value)
  const { value: client } = await store.createOAuthClient({ body: { name: "c", scopes: ["read:pets"] } })
  keep(client)
  keep((await store.rotateOAuthClientSecret({ params: { id: client.id } })).value)
  const { value: webhook } = await store.createWebhook({ body: { url: "http://127.0.0.1:9/token-in-a-url" } })
  keep(webhook)
  keep((await store.rotateWebhookSecret({ params: { webhookId: webhook.id } })).value)
  const { username, token } = await addUser()
  secrets.push(token, "token-in-a-url", "ada@example.com", "typed-in-the-wrong-field")
  const own = petstore.withToken(token)
  await own.updateUser({ params: { username }, body: { email: "ada@example.com", currentPassword: password } })
  await own.updateUser({ params: { username }, body: { password: other, currentPassword: password } })
  await store.resetPassword({ params: { username }, body: { password } })
  await wrongLogin("typed-in-the-wrong-field", password)
  await wrongLogin(username, other)
})

test("no column contains a secret, password, token, e-mail address or a name chosen by a user", () => {
  using db = new DatabaseSync(petstore.databaseFile, { readOnly: true })
  const columns = db
    .prepare("SELECT * FROM audit")
    .all()
    .flatMap((row) => Object.values(row).map(String))
  assert.ok(columns.length > 100 && secrets.length > 12)
  const found = secrets.filter((secret) => columns.some((text) => text.includes(secret)))
  assert.deepEqual(found, [])
  const hashes = secrets.map((secret) => hash("sha256", secret))
  const minted = columns.filter((text) => /psk_|pss_|pos_|whsec_|\$argon2/.test(text) || hashes.includes(text))
  assert.deepEqual(minted, [])
  assert.ok(columns.some((text) => text.includes("password.reset")))
})

test("the log is for admins only", async () => {
  const { status } = await exchange(petstore.url, "GET /api/v3/audit HTTP/1.1\r\nHost: x\r\napi_key: pro-key\r\n\r\n")
  assert.equal(status, 403)
})
