import assert from "node:assert/strict"
import { test } from "node:test"
import { expireOrders } from "../../src/core/domain/orders/expire.ts"
import { createHashCheck } from "../../src/core/workers/check-hashes.ts"
import { changeOnDisk } from "../harness/backups.ts"
import { refusedAs } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore({}, "one for each test")
const receiver = use(startReceiver, "one for each test")
const admin = petstore.as("special-key")
const right = { name: "right", photoUrls: [] }

/** Changes a pet as a failing disk does; `replace` are the arguments of that function of SQLite after the text. */
const damagePet = (id: number, replace = `'"name":"', '"name":"X'`) =>
  changeOnDisk(petstore, `UPDATE pets SET json = replace(json, ${replace}) WHERE id = ${id}`)

async function statusOf(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(petstore.url + path, { headers: { api_key: "special-key", ...headers } })
  return { status: response.status, text: await response.text() }
}

/** A round, which finds what is damaged without a read of it. */
const examine = () =>
  createHashCheck().checkHashes({ store: petstore.store, blobs: petstore.blobs, log: { error: () => {} } })

const errors = () =>
  petstore.lines
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 50)
    .map(({ level, code, err }) => ({ level, code, message: err?.message }))

test("a pet that a round has found damaged is a 500 that names it wherever it is read, and an error in the log, once a minute", async () => {
  await damagePet(7)
  await examine()
  for (const [path, accept] of [
    ["/api/v3/pet/7", "application/json"],
    ["/api/v3/pet/7", "application/xml"],
    ["/api/v3/pets/7", "application/json"],
    ["/api/v3/pet/7/images", "application/json"],
    ["/v2/pet/7", "application/json"],
  ] as const) {
    const { status, text } = await statusOf(path, { accept })
    assert.equal(status, 500, path)
    assert.match(text, /Pet 7 does not match its hash/, path)
    assert.doesNotMatch(text, /"?name"?/, path)
  }
  assert.match((await statusOf("/api/v3/pet/7")).text, /"type":"[^"]+\/problems\/damaged"/)
  assert.match((await statusOf("/problems/damaged")).text, /Damaged record/)
  assert.equal((await statusOf("/api/v3/pet/6")).status, 200)
  assert.deepEqual(errors(), [{ level: 50, code: "damaged", message: "Pet 7 does not match its hash" }])
})

test("nothing is derived from a damaged pet, also before a round: changes of a part of it and orders are refused, and change nothing", async () => {
  await damagePet(7)
  const before = await petstore.store.hashes.read("pets", 7)
  for (const call of [
    () => admin.patchPet({ params: { petId: 7 }, body: { name: "other" } }),
    () => admin.updatePetWithForm({ params: { petId: 7 }, query: { name: "other" } }),
    () => admin.placeOrder({ body: { petId: 7, quantity: 1 } }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
  await assert.rejects(admin.addPet({ body: { id: 7, ...right } }), refusedAs("pet-exists"))
  assert.deepEqual(await petstore.store.hashes.read("pets", 7), before)
})

test("once a round has found a damaged pet, a list that has it is refused, and others are not", async () => {
  await damagePet(7)
  const { status } = (await admin.findPetsByStatus({ query: {} })).value.find(({ id }) => id === 7) ?? {}
  await examine()
  const lists = [
    () => admin.findPetsByStatus({ query: {} }),
    () => admin.listPets({ query: { limit: 100 } }),
    () => admin.listPets({ query: { limit: 100, sort: "name" } }),
    () => admin.listPetRecords({ query: { limit: 100 } }),
  ]
  for (const list of lists) await assert.rejects(list, refusedAs("damaged"))
  const others = (["available", "pending", "sold"] as const).filter((other) => other !== status)
  assert.ok((await admin.findPetsByStatus({ query: { status: others } })).value.length > 0)

  await admin.updatePet({ body: { id: 7, ...right } })
  for (const list of lists) assert.ok((await list()).value.some(({ id, name }) => id === 7 && name === "right"))
})

test("a damaged pet can be replaced or deleted, also one whose id or status is what was damaged", async () => {
  await damagePet(7)
  await damagePet(8, `'"id":8', '"id":9'`)
  await damagePet(9, `'"status":"', '"status":"p'`)
  const unchanged = await petstore.store.pets.read(10)
  assert.equal((await admin.updatePet({ body: { id: 7, ...right } })).value.name, "right")
  assert.equal((await admin.updatePet({ body: { id: 8, ...right } })).value.id, 8)
  await admin.deletePet({ params: { petId: 9 } })
  assert.equal((await admin.getPetById({ params: { petId: 8 } })).value.name, "right")
  await assert.rejects(admin.getPetById({ params: { petId: 9 } }), refusedAs("pet-not-found"))
  assert.deepEqual(await petstore.store.pets.read(10), unchanged)
  const { available, pending, sold } = (await admin.getInventory()).value
  assert.equal(
    (available ?? 0) + (pending ?? 0) + (sold ?? 0),
    (await admin.listPets({ query: { limit: 100 } })).value.length,
  )
})

test("a pet whose text is no JSON any more is refused, also to what would replace it", async () => {
  await damagePet(7, `'{', '['`)
  await examine()
  for (const call of [
    () => admin.getPetById({ params: { petId: 7 } }),
    () => admin.findPetsByStatus({ query: {} }),
    () => admin.updatePet({ body: { id: 7, ...right } }),
    () => admin.deletePet({ params: { petId: 7 } }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
})

test("a damaged order or user is refused too, and other orders expire beside it", async () => {
  const available = (await admin.findPetsByStatus({ query: { status: ["available"] } })).value
  const place = async (n: number) =>
    (await admin.placeOrder({ body: { petId: available[n]?.id ?? 0, quantity: 1 } })).value.id
  const [one, other] = [await place(0), await place(1)]
  await changeOnDisk(
    petstore,
    `UPDATE orders SET json = replace(json, 'quantity', 'quantitz') WHERE id = ${one};
     UPDATE users SET json = replace(json, 'role', 'rolf') WHERE name = 'user1'`,
  )
  await examine()
  for (const call of [
    () => admin.getOrderById({ params: { orderId: one } }),
    () => admin.getOrderRecord({ params: { orderId: one } }),
    () => admin.patchOrder({ params: { orderId: one }, body: { status: "approved" } }),
    () => admin.deleteOrder({ params: { orderId: one } }),
    () => admin.listOrders({ query: { limit: 100 } }),
    () => admin.getUserByName({ params: { username: "user1" } }),
    () => admin.logIn({ body: { username: "user1", password: "password1" } }),
    () => admin.listUsers({ query: { limit: 100 } }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
  assert.equal((await admin.getUserByName({ params: { username: "user2" } })).value.username, "user2")

  const { store, clock } = petstore
  await expireOrders({ store, clock }, clock.now() + 1)
  await assert.rejects(admin.getOrderById({ params: { orderId: one } }), refusedAs("damaged"))
  await assert.rejects(admin.getOrderById({ params: { orderId: other } }), refusedAs("order-not-found"))
})

test("a damaged API key or account opens nothing: a request with the key is a 500 that names what is damaged, and so is what reads it", async () => {
  const { id, secret } = (await admin.createKey({ body: { name: "k", scopes: ["read:pets"] } })).value
  await changeOnDisk(
    petstore,
    `UPDATE keys SET scopes = 'read:pets write:pets' WHERE id = ${id};
     UPDATE accounts SET plan = 'enterprise' WHERE name = 'sandbox free'`,
  )
  for (const [key, named] of [
    [secret, `API key ${id}`],
    ["free-key", "Account 3"],
  ] as const) {
    const { status, text } = await statusOf("/api/v3/pet/6", { api_key: key })
    assert.equal(status, 500, key)
    assert.match(text, new RegExp(`${named} does not match its hash`))
  }
  for (const call of [
    () => admin.getKey({ params: { id } }),
    () => admin.listKeys({ query: {} }),
    () => admin.rotateKey({ params: { id }, query: {} }),
    () => admin.revokeKey({ params: { id } }),
    () => admin.listAccounts({ query: {} }),
    () => admin.patchAccount({ params: { id: 3 }, body: { name: "other" } }),
    () => petstore.as("free-key").addPet({ body: right }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
  assert.deepEqual(
    errors().map(({ message }) => message),
    [`API key ${id} does not match its hash`, "Account 3 does not match its hash"],
  )
  await changeOnDisk(petstore, `UPDATE keys SET scopes = 'read:pets' WHERE id = ${id}`)
  assert.equal((await statusOf("/api/v3/pet/6", { api_key: secret })).status, 200)
})

test("a damaged OAuth client gets no token, and its tokens open nothing", async () => {
  const ask = () =>
    fetch(`${petstore.url}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("sample-client-id:sample-client-secret")}` },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "read:pets" }),
    })
  const { access_token: token } = (await (await ask()).json()) as { access_token: string }
  const [client] = (await admin.listOAuthClients({ query: {} })).value.filter(({ type }) => type === "confidential")
  const id = client?.id ?? 0
  await changeOnDisk(
    petstore,
    `UPDATE oauth_clients SET scopes = replace(scopes, 'read:users', 'admin') WHERE id = ${id}`,
  )
  const message = `OAuth client ${id} does not match its hash`

  const refused = await ask()
  assert.equal(refused.status, 500)
  assert.deepEqual(await refused.json(), { error: "server_error", error_description: message })
  const used = await statusOf("/api/v3/pet/6", { api_key: "", authorization: `Bearer ${token}` })
  assert.deepEqual([used.status, used.text.includes(message)], [500, true])
  for (const call of [
    () => admin.getOAuthClient({ params: { id } }),
    () => admin.listOAuthClients({ query: {} }),
    () => admin.updateOAuthClient({ params: { id }, body: { name: "other" } }),
    () => admin.rotateOAuthClientSecret({ params: { id } }),
    () => admin.deleteOAuthClient({ params: { id } }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
  assert.deepEqual(errors(), [{ level: 50, code: undefined, message: `server_error: ${message}` }])
})

test("a damaged webhook is not called, and an error in the log names it; its deliveries wait until it is repaired", async () => {
  const { id } = (await admin.createWebhook({ body: { url: `${receiver.url}/right`, events: ["pet.created"] } })).value
  const paths = async () => {
    await petstore.worker.tick()
    await petstore.worker.idle()
    return receiver.received.map(({ path }) => path)
  }
  await changeOnDisk(petstore, `UPDATE webhooks SET url = replace(url, 'right', 'wrong') WHERE id = ${id}`)
  assert.deepEqual(await paths(), [])
  assert.ok(errors().some(({ message }) => message === `Webhook ${id} does not match its hash`))
  for (const call of [
    () => admin.getWebhook({ params: { webhookId: id } }),
    () => admin.listWebhooks({ query: {} }),
    () => admin.updateWebhook({ params: { webhookId: id }, body: { url: receiver.url } }),
    () => admin.rotateWebhookSecret({ params: { webhookId: id } }),
    () => admin.listDeliveries({ params: { webhookId: id }, query: {} }),
    () => admin.deleteWebhook({ params: { webhookId: id } }),
  ])
    await assert.rejects(call, refusedAs("damaged"))
  await changeOnDisk(petstore, `UPDATE webhooks SET url = replace(url, 'wrong', 'right') WHERE id = ${id}`)
  petstore.clock.advance(60_000)
  const called = await paths()
  assert.ok(called.length >= 2)
  assert.ok(called.every((path) => path === "/right"))
})

test("a person with damaged credentials is deleted, and the credentials with them", async () => {
  await admin.createUser({ body: { username: "ada", password: "correct horse" } })
  const { accountId = 0 } = (await petstore.store.users.byName("ada")) ?? {}
  const { id } = (await admin.createKey({ body: { name: "own", scopes: ["read:pets"], accountId } })).value
  await changeOnDisk(petstore, `UPDATE keys SET name = 'other' WHERE id = ${id}`)
  await admin.deleteUser({ params: { username: "ada" } })
  await examine()
  assert.equal(await petstore.store.keys.read(id), undefined)
})
