import assert from "node:assert/strict"
import { test } from "node:test"
import { petstoreCommand } from "../harness/command-line.ts"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const send = keySender(petstore)
const get = (path: string, headers: Record<string, string>) => send("GET", path, undefined, headers)

/** A new account with a key of every scope. */
async function openAccount(plan: "free" | "pro" = "pro") {
  const store = petstore.as("special-key")
  const { value: account } = await store.createAccount({ body: { name: "Acme", plan } })
  const scopes = (await store.getOwnAccount()).value.scopes.filter((scope) => scope !== "admin")
  const { value: key } = await store.createKey({ body: { name: "own", scopes, accountId: account.id } })
  return { id: account.id, named: { "petstore-account": String(account.id) }, key: key.secret }
}

test("an administrator finds and creates the webhooks, keys, applications and events of another account", async () => {
  const { id, named, key } = await openAccount()
  assert.deepEqual((await get("/webhooks", named)).value, [])
  const body = JSON.stringify({ url: "http://127.0.0.1:9/", events: ["pet.created"] })
  const made = await send("POST", "/webhooks", body, named)
  assert.equal(made.status, 201)
  const own = await petstore.as(key).listWebhooks()
  assert.deepEqual(
    own.value.map((webhook) => webhook.id),
    [made.value.id],
  )
  assert.equal((await get(`/webhooks/${made.value.id}`, {})).status, 404)
  assert.equal((await get(`/webhooks/${made.value.id}`, named)).status, 200)
  assert.deepEqual(
    (await get("/keys", named)).value.map(({ name }: { name: string }) => name),
    ["own"],
  )
  assert.deepEqual((await get("/oauth-clients", named)).value, [])
  assert.equal((await get("/account", named)).value.id, id)

  const { value: order } = await petstore.as(key).placeOrder({ body: { petId: 1 } })
  const placed = (events: { event: string; data: { id: number } }[]) =>
    events.some(({ event, data }) => event === "order.placed" && data.id === order.id)
  assert.deepEqual(
    [placed((await get("/events", named)).value), placed((await get("/events", {})).value)],
    [true, false],
  )
})

test("requests for another account count against its plan", async () => {
  const { named } = await openAccount("free")
  const remaining = async () => (await get("/account", named)).value.limits[0].remaining
  const before = await remaining()
  await get("/pet/1", named)
  await get("/pet/1", {})
  assert.equal(await remaining(), before - 1)
})

test("without the scope admin the header is refused, and an unknown account is named as the mistake", async () => {
  const { named, key } = await openAccount()
  const refused = await get("/pet/1", { ...named, api_key: key })
  assert.deepEqual([refused.status, refused.value.code], [403, "forbidden"])
  for (const id of ["4711", "0", "-1", "x", "1e3", "9".repeat(20)]) {
    const { status, value } = await get("/pet/1", { "petstore-account": id })
    assert.deepEqual(
      [status, value.code, value.errors[0].parameter],
      [400, "invalid-parameter", "Petstore-Account"],
      id,
    )
  }
  const invented = await get("/pet/1", { ...named, api_key: "invented" })
  assert.equal(invented.status, 401)
})

test("the audit log names the administrator, and a key that they create ends with their role", async () => {
  const { id, named } = await openAccount()
  const store = petstore.as("special-key")
  const { value: user } = await store.createUser({ body: { username: "boss", password: "password" } })
  await store.grantRole({ params: { username: "boss", role: "admin" } })
  const { value: token } = await store.loginUser({ query: { username: "boss", password: "password" } })
  const signedIn = { authorization: `Bearer ${token}`, api_key: "", ...named, "content-type": "application/json" }
  const body = JSON.stringify({ name: "theirs", scopes: ["admin"] })
  const { value: key } = await send("POST", "/keys", body, signedIn)
  const { value: entries } = await store.listAudit({ query: { action: "key.created", limit: 1 } })
  assert.deepEqual([entries[0]?.principal, entries[0]?.account], [`user:${user.id}`, id])
  assert.equal((await get("/account", { api_key: key.secret })).value.id, id)
  await store.grantRole({ params: { username: "boss", role: "customer" } })
  assert.equal((await get("/account", { api_key: key.secret })).status, 401)
  assert.equal((await get("/account", signedIn)).status, 403)
})

test("--account of the command line acts for the account", async () => {
  const { id } = await openAccount()
  const { out } = await petstoreCommand(petstore.url, ["account", "get", "--account", String(id), "--json"])
  assert.equal(JSON.parse(out).id, id)
  const wrong = await petstoreCommand(petstore.url, ["account", "get", "--account", "Acme"])
  assert.deepEqual([wrong.code, /--account is "Acme"/.test(wrong.err)], [2, true])
})
