import assert from "node:assert/strict"
import { statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { basePath } from "../../src/core/kernel/network/path.ts"
import { emptied, kept, restarted } from "../../src/core/sql/started-over.ts"
import { newestTables } from "../../src/core/sqlite/tables.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { createGate } from "../../src/parts/sandbox/gate.ts"
import { ownSeeds } from "../../src/parts/sandbox/seeds/contract.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { createMigratedDatabase, serverUrl, settingsFor } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { freePort } from "../harness/free-port.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { startReceiver } from "../harness/receiver.ts"
import { before, use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const receiver = use(startReceiver)

const admin = (url = petstore.url, headers: Record<string, string> = { api_key: "special-key" }) =>
  createClient({ ...api, ...sandbox }, { url, headers })

const reset = (seed: "classic" | "empty" | "shelter" = "classic") => admin().resetSandbox({ query: { seed } })

const readPets = async () => (await admin().listPets({ query: { sort: "id", limit: 1000 } })).value

let atStart: unknown
before(async () => {
  const [pets, users, orders, inventory] = await Promise.all([
    readPets(),
    admin().listUsers(),
    admin().listOrders(),
    admin().getInventory(),
  ])
  atStart = { pets, users: users.value, orders: orders.value, inventory: inventory.value }
})

const readState = async () => ({
  pets: await readPets(),
  users: (await admin().listUsers()).value,
  orders: (await admin().listOrders()).value,
  inventory: (await admin().getInventory()).value,
})

test("every table is emptied, starts again, or stays with a reason", () => {
  const tables = newestTables().map(({ name }) => name)
  assert.deepEqual([...emptied, ...restarted, ...Object.keys(kept)].sort(), tables.toSorted())
})

test("a reset restores the initial state, with ids from 1", async () => {
  const body = { name: "Rex", category: { name: "New" }, photoUrls: [], tags: [{ name: "new" }] }
  const first = (await admin().addPet({ body })).value
  await admin().deletePet({ params: { petId: 1 } })
  await admin().createUser({ body: { username: "visitor", password: "secret-word", email: "a@b.example" } })
  await admin().placeOrder({ body: { petId: 2 } })
  await admin().createWebhook({ body: { url: receiver.url } })
  await admin().createKey({ body: { name: "own", scopes: ["admin"] } })

  const { value } = await reset()
  assert.deepEqual(value, { code: 200, type: "success", message: "The sandbox has been reset: classic" })
  assert.deepEqual(await readState(), atStart)
  assert.deepEqual((await admin().listWebhooks()).value, [])
  assert.deepEqual(
    (await admin().listKeys()).value.map(({ name }) => name),
    ["special-key"],
  )
  assert.deepEqual((await admin().addPet({ body })).value, first)
})

test("photos of seeded pets have absolute URLs and exist, from the first start on and after each reset", async () => {
  for (const seed of [undefined, "classic", "shelter"] as const) {
    if (seed) await reset(seed)
    const photos = new Set((await readPets()).flatMap(({ photoUrls }) => photoUrls))
    assert.ok(photos.size > 6)
    for (const photo of photos) {
      assert.ok(photo.startsWith(`${petstore.url}/images/`), photo)
      assert.equal((await fetch(photo, { headers: { origin: "http://localhost:3000" } })).status, 200)
    }
  }
  await reset()
})

test("the first response of a first start has absolute photo URLs", async () => {
  const port = await freePort()
  const starting = startPetstore({ env: { PETSTORE_SEED: "classic", PETSTORE_PORT: String(port) } })
  const firstPet = (): Promise<{ photoUrls: string[] }> =>
    fetch(`http://127.0.0.1:${port}/api/v3/pet/1`, { headers: { api_key: "special-key" } }).then(
      (response) => response.json() as Promise<{ photoUrls: string[] }>,
      firstPet,
    )
  const first = await firstPet()
  await using service = await starting
  assert.deepEqual(
    first.photoUrls,
    (await service.as("special-key").getPetById({ params: { petId: 1 } })).value.photoUrls,
  )
  assert.ok(first.photoUrls[0]?.startsWith(`${service.url}/images/`))
})

test("seeding emits no events", async () => {
  for (const seed of ["classic", "shelter"] as const) {
    await reset(seed)
    assert.deepEqual((await admin().listEvents()).value, [])
  }
  await reset()
  const { value } = await admin().addPet({ body: { name: "First", photoUrls: [] } })
  assert.deepEqual(
    (await admin().listEvents()).value.map(({ event, data }) => [event, (data as { id: number }).id]),
    [["pet.created", value.id]],
  )
})

test("photo URLs of seeded pets follow the service to another address, and those written by clients are kept (slow)", async () => {
  using directory = temporaryDirectory()
  // Two starts on one database, also on a database server.
  const shared = serverUrl === undefined ? {} : settingsFor(await createMigratedDatabase(serverUrl))
  const start = (more: Record<string, string> = {}) =>
    startPetstore({ env: { PETSTORE_DATA_DIR: directory.path, ...shared, ...more } })
  const pets = async ({ as }: Awaited<ReturnType<typeof start>>) =>
    (await as("special-key").listPets({ query: { sort: "id" } })).value
  const first = await start()
  const [cat] = await pets(first)
  const own = [cat?.photoUrls[0]?.replace(first.url, "https://cdn.example") ?? "", "https://a.example/1.jpg"]
  const client = first.as("special-key")
  await client.patchPet({ params: { petId: 2 }, body: { photoUrls: [...own, ...(cat?.photoUrls ?? [])] } })
  await client.deletePet({ params: { petId: 4 } })
  const { value: added } = await client.addPet({ body: { id: 5000, name: "Own", photoUrls: cat?.photoUrls ?? [] } })
  const events = (await client.listEvents()).value.length
  const before = await pets(first)
  await first[Symbol.asyncDispose]()

  for (const publicUrl of [undefined, "https://petstore.example/shop", undefined]) {
    await using next = await start(publicUrl === undefined ? {} : { PETSTORE_PUBLIC_URL: publicUrl })
    const expected = before.map((pet) => ({
      ...pet,
      photoUrls:
        pet.id === added.id ? pet.photoUrls : pet.photoUrls.map((url) => url.replace(first.url, publicUrl ?? next.url)),
    }))
    assert.deepEqual(await pets(next), expected)
    const { headers } = await next.as("special-key").getPetById({ params: { petId: 1 } })
    const unchanged = { headers: { "if-none-match": headers.get("etag") ?? "" } }
    assert.equal((await next.as("special-key").getPetById({ params: { petId: 1 } }, unchanged)).status, 304)
    assert.equal((await next.as("special-key").listEvents()).value.length, events)
  }
})

test("sample images exist after each reset, and uploaded ones do not", async () => {
  for (const seed of ["classic", "empty", "classic", "shelter"] as const) {
    await reset(seed)
    const [pet] = await readPets()
    assert.equal(pet === undefined, seed === "empty")
    if (pet) assert.equal((await fetch(new URL(pet.photoUrls[0] as string, petstore.url))).status, 200, seed)
  }
})

test("empty has the known keys and users and no pets; shelter has 300 animals with matching orders (slow)", async () => {
  await reset("empty")
  assert.deepEqual(await readPets(), [])
  assert.equal((await admin().listUsers()).value.length, 11)
  assert.deepEqual((await petstore.as("free-key").getInventory()).value, { available: 0, pending: 0, sold: 0 })

  await reset("shelter")
  const pets = await readPets()
  assert.equal(pets.length, 300)
  assert.equal(new Set(pets.map(({ name, category }) => `${category?.name} ${name}`)).size, 300)
  assert.ok(pets.every(({ tags, photoUrls }) => tags.length >= 2 && photoUrls.length === 1))
  const orders = (await admin().listOrders({ query: { limit: 1000 } })).value
  const ordered = new Map(orders.map(({ petId, status }) => [petId, status === "delivered" ? "sold" : "pending"]))
  for (const { id, status } of pets) assert.equal(status, ordered.get(id) ?? "available", `pet ${id}`)
  await reset()
})

test("no seed takes an id below 1,000 that clients choose, except pets 1 to 10 and the classic orders; generated ids are above (slow)", async () => {
  for (const seed of ownSeeds) {
    await reset(seed)
    const low = (things: readonly { id: number }[]) => things.flatMap(({ id }) => (id <= 1000 ? [id] : [])).toSorted()
    assert.deepEqual(low((await admin().listUsers({ query: { limit: 1000 } })).value), [], seed)
    const orders = low((await admin().listOrders({ query: { limit: 1000 } })).value)
    assert.deepEqual(orders, seed === "classic" ? [1, 2, 3] : [], seed)
    const pets = await readPets()
    assert.ok(low(pets).every((id) => id <= 10))
    const user = { username: "generated", password: "12345" }
    assert.ok((await admin().createUser({ body: user })).value.id > 1000)
    const { id } = (await admin().addPet({ body: { name: "New", photoUrls: [] } })).value
    assert.ok(
      pets.every((pet) => pet.id < id),
      seed,
    )
  }
  await reset()
})

test("a reset clears counts, idempotency keys and caches", async () => {
  const limited = petstore.as("free-key")
  const left = async () => /"day";r=(\d+)/.exec((await limited.getInventory()).headers.get("ratelimit") ?? "")?.[1]
  await left()
  const create = () =>
    fetch(`${petstore.url}${basePath}/pet`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": "once" },
      body: JSON.stringify({ name: "Once", photoUrls: [] }),
    })
  assert.equal((await create()).headers.get("idempotency-replayed"), null)
  const { value: token } = await petstore
    .as("special-key")
    .logIn({ body: { username: "user1", password: "password1" } })
  const person = petstore.withToken(token)
  assert.equal((await person.getUserByName({ params: { username: "user1" } })).value.username, "user1")
  const { value: own } = await admin().createKey({ body: { name: "own", scopes: ["read:orders"] } })
  await petstore.as(own.secret).getInventory()
  for (let n = 0; n < 5; n++)
    await assert.rejects(petstore.as("special-key").logIn({ body: { username: "user2", password: "wrong" } }))

  await reset()
  assert.equal(await left(), "999")
  assert.equal((await create()).headers.get("idempotency-replayed"), null)
  await assert.rejects(person.getUserByName({ params: { username: "user1" } }), refusedAs("unauthorized"))
  await assert.rejects(petstore.as(own.secret).getInventory(), refusedAs("unauthorized"))
  await petstore.as("special-key").logIn({ body: { username: "user2", password: "password2" } })
  assert.deepEqual(
    (await admin().listEvents()).value.map(({ event }) => event),
    ["pet.created"],
  )
})

test("a reset waits for running requests and new ones wait for it: each sees either all old or all new data", async () => {
  await reset()
  const outcomes = await Promise.all([
    ...Array.from({ length: 20 }, (_, n) =>
      admin()
        .addPet({ body: { id: 100 + n, name: `Pet ${n}`, photoUrls: [] } })
        .then(({ status }) => status),
    ),
    reset().then(({ status }) => status),
    ...Array.from({ length: 20 }, (_, n) =>
      admin()
        .placeOrder({ body: { id: 100 + n, petId: 1 } })
        .then(
          ({ status }) => status,
          (error) => error.problem.code,
        ),
    ),
  ])
  assert.deepEqual(new Set(outcomes), new Set([200, "pet-not-available"]))
  await reset()
  assert.deepEqual(await readState(), atStart)
})

test("a key created after a reset does not have the last use of an earlier key with its id", async () => {
  using directory = temporaryDirectory()
  const env = { PETSTORE_DATA_DIR: directory.path, PETSTORE_DATABASE_URL: `sqlite:${directory.path}/petstore.db` }
  const start = () => startPetstore({ env })
  const body = { name: "own", scopes: ["read:orders" as const] }
  let id = 0
  {
    await using first = await start()
    const { value: before } = await admin(first.url).createKey({ body })
    await first.as(before.secret).getInventory()
    await admin(first.url).resetSandbox()
    const { value: after } = await admin(first.url).createKey({ body })
    id = after.id
    assert.equal(id, before.id)
  }
  await using second = await start()
  const { value: key } = await admin(second.url).getKey({ params: { id } })
  assert.equal(key.lastUsedAt, undefined)
})

test("a response delayed by a fault does not delay a reset", async () => {
  const held = fetch(`${petstore.url}${basePath}/pet/1`, { headers: { api_key: "special-key", prefer: "wait=30" } })
  await admin().getInventory()
  const startedAt = performance.now()
  await reset()
  assert.equal((await held).status, 200)
  assert.ok(performance.now() - startedAt < 5_000)
})

test("a request with an unfinished body delays neither a reset nor other requests, and continues after it", async () => {
  const { value: key } = await admin().createKey({ body: { name: "own", scopes: ["write:pets"] } })
  const startRequest = async (path: string, headers: Record<string, string>, first: string, length: number) => {
    const slow = await rawConnection(petstore.url)
    const lines = Object.entries({ host: "x", "content-length": length, ...headers }).map((field) => field.join(": "))
    slow.send(`POST ${basePath}${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${first}`)
    return slow
  }
  const type = { "content-type": "application/json" }
  const [user, pet] = ['{"username":"slow","password":"slow-password"}', '{"name":"Slow","photoUrls":[]}']
  using registering = await startRequest("/user", type, user.slice(0, 1), user.length)
  using adding = await startRequest("/pet", { ...type, api_key: "special-key" }, pet.slice(0, 1), pet.length)
  using addingWithOldKey = await startRequest("/pet", { ...type, api_key: key.secret }, pet.slice(0, 1), pet.length)
  const image = { "content-type": "application/octet-stream", api_key: "special-key" }
  using uploading = await startRequest("/pet/1/uploadImage", image, "x", 2)
  await admin().addPet({ body: { id: 77, name: "Gone", photoUrls: [] } })

  const startedAt = performance.now()
  const [{ status }] = await Promise.all([reset(), admin().getInventory()])
  assert.equal(status, 200)
  assert.ok(performance.now() - startedAt < 2_500, "it waited for a body")
  assert.deepEqual(await readState(), atStart)

  registering.send(user.slice(1))
  assert.equal((await registering.response()).status, 200)
  assert.equal((await admin().getUserByName({ params: { username: "slow" } })).value.username, "slow")
  adding.send(pet.slice(1))
  assert.equal(JSON.parse((await adding.response()).body).id, 11)
  addingWithOldKey.send(pet.slice(1))
  const { status: refused, headers } = await addingWithOldKey.response()
  assert.deepEqual(
    { refused, "www-authenticate": headers.has("www-authenticate") },
    { refused: 401, "www-authenticate": true },
  )
  uploading.send("x")
  const upload = await uploading.response()
  assert.deepEqual(
    { status: upload.status, "retry-after": upload.headers.get("retry-after") },
    { status: 503, "retry-after": "1" },
  )
  assert.match(upload.body, /reset while the file was sent/)
  await reset()
})

test("resets run one at a time, and no requests beside them", async () => {
  const gate = createGate()
  let inside = 0
  const once = () =>
    gate.alone(async () => {
      assert.equal(++inside, 1)
      await new Promise(setImmediate)
      inside--
    })
  await Promise.all([once(), once(), once()])
})

test("deliveries continue after a reset, to the new webhooks", async () => {
  await reset()
  await admin().createWebhook({ body: { url: receiver.url } })
  await admin().addPet({ body: { name: "Announced", photoUrls: [] } })
  await petstore.worker.idle()
  await petstore.worker.tick()
  await petstore.worker.idle()
  assert.ok(receiver.received.length > 0)
  await reset()
})

test("a reset requires the scope admin, and is refused to pages of other sites", async () => {
  await assert.rejects(admin(petstore.url, { api_key: "free-key" }).resetSandbox(), refusedAs("forbidden"))
  await assert.rejects(admin(petstore.url, {}).resetSandbox(), refusedAs("unauthorized"))
  const foreign = { api_key: "special-key", origin: "https://evil.example" }
  await assert.rejects(admin(petstore.url, foreign).resetSandbox(), refusedAs("foreign-page"))
  await assert.rejects(admin().resetSandbox({ query: { seed: "zoo" as "empty" } }), refusedAs("invalid-parameter"))
})

test("petstore reset resets from the command line", async () => {
  await admin().addPet({ body: { id: 4711, name: "Gone", photoUrls: [] } })
  const ran = await petstoreCommand(petstore.url, ["reset", "--seed", "classic"])
  assert.equal(ran.code, 0, ran.err)
  assert.deepEqual(await readState(), atStart)
})

test("production has no reset", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  const { url, firstKey = "" } = production
  await assert.rejects(admin(url, { api_key: firstKey }).resetSandbox(), refusedAs("not-found"))
  const ran = await petstoreCommand(url, ["reset"], { settings: { url, apiKey: firstKey, token: undefined } })
  assert.deepEqual(
    { code: ran.code, err: ran.err },
    { code: 1, err: `${url} is not a sandbox; nothing was changed.\n` },
  )
})

test("a reset writes what it leads to, not what was there, and the file shrinks (slow)", async () => {
  using place = temporaryDirectory()
  const env = { PETSTORE_DATA_DIR: join(place.path, "data") }
  await (await startPetstore({ env }))[Symbol.asyncDispose]()
  const file = join(place.path, "data", "petstore.db")
  const bytesOf = (path: string) => statSync(path).size
  {
    using db = new DatabaseSync(file)
    const many = "WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    db.exec(`PRAGMA synchronous = OFF;
             ${many} INSERT INTO pets (id, status, name_key, json, etag)
             SELECT i, 'available', 'n' || i, printf('{"id":%d,"name":"%03000d","photoUrls":[],"tags":[],"status":"available"}', i, i), '' FROM n`)
  }
  assert.ok(bytesOf(file) > 64 * 1024 * 1024)
  await using big = await startPetstore({ env })
  await admin(big.url).resetSandbox({ query: {} })
  const written = bytesOf(`${file}-wal`)
  assert.ok(written < 4 * 1024 * 1024, `${written} bytes were written`)
  assert.equal((await admin(big.url).getInventory()).value.available, 7)
  await admin(big.url).addPet({ body: { name: "after", photoUrls: [] } })
  assert.ok(bytesOf(file) < 4 * 1024 * 1024, `${bytesOf(file)} bytes are left`)
  using db = new DatabaseSync(file, { readOnly: true })
  assert.deepEqual({ ...db.prepare("PRAGMA integrity_check").get() }, { integrity_check: "ok" })
})

test("a reset beside a tool that reads the old data leaves that data to the tool", async () => {
  await using read = await startPetstore()
  using tool = new DatabaseSync(join(read.imageDirectory, "..", "petstore.db"), { readOnly: true })
  await admin(read.url).addPet({ body: { id: 500, name: "old", photoUrls: [] } })
  const pets = tool.prepare("SELECT count(*) AS count FROM pets")
  tool.exec("BEGIN")
  assert.equal(pets.get()?.count, 11)
  await admin(read.url).resetSandbox({ query: { seed: "shelter" } })
  assert.equal(pets.get()?.count, 11)
  tool.exec("COMMIT")
  assert.equal(pets.get()?.count, 300)
})
