import assert from "node:assert/strict"
import { test } from "node:test"
import { type StartOptions, startPetstore } from "../harness/petstore.ts"
import { exchange } from "../harness/raw-http.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const proxied = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" }
const open = (env: Record<string, string> = {}, more: StartOptions = {}) =>
  startPetstore({ env: { ...proxied, ...env }, ...more })

/** The log lines of requests while `work` runs. */
async function linesOf({ lines }: Petstore, work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const from = lines.length
  await work()
  return lines
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter((line) => "http.request.method" in line)
}

test("a request is logged with its caller, address, result and problem, under OpenTelemetry's names", async () => {
  await using petstore = await open()
  const headers = { api_key: "free-key", "x-forwarded-for": "203.0.113.77" }
  const [line] = await linesOf(petstore, () => fetch(`${petstore.url}/api/v3/pet/4711?secret=1`, { headers }))
  const { time, requestId, durationMs, ...rest } = line as Record<string, unknown>
  assert.match(String(time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.ok(requestId && (durationMs as number) > 0)
  assert.deepEqual(rest, {
    level: 30,
    "http.request.method": "GET",
    "url.path": "/api/v3/pet/4711",
    operation: "getPetById",
    "http.response.status_code": 404,
    "client.address": "203.0.113.0",
    account: 3,
    key: 3,
    "error.type": "pet-not-found",
  })
})

test("a path is one member of its line, with any characters", async () => {
  await using petstore = await open()
  for (const path of ['/"},{"level":50', "/\\", "/%22"]) {
    const [line] = await linesOf(petstore, () => exchange(petstore.url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`))
    assert.deepEqual([line?.["url.path"], line?.level], [path, 30])
  }
})

test("a person is logged by id", async () => {
  await using petstore = await open()
  const { value: token } = await petstore
    .as("special-key")
    .logIn({ body: { username: "user1", password: "password1" } })
  const person = petstore.withToken(token)
  const { value: user } = await person.getUserByName({ params: { username: "user1" } })
  const [line] = await linesOf(petstore, () => person.getUserByName({ params: { username: "user1" } }))
  assert.equal(line?.["user.id"], user.id)
  assert.equal(typeof line?.session, "number")
})

test("a created resource is logged by its id; a changed, repeated or refused one is not", async () => {
  await using petstore = await open()
  const store = petstore.as("special-key")
  const created = async (work: () => Promise<unknown>) => (await linesOf(petstore, work)).map((line) => line.created)
  const pet = { name: "Rex", photoUrls: [] }
  const key = { name: "k", scopes: ["read:pets" as const] }
  assert.deepEqual(await created(() => store.addPet({ body: { ...pet, id: 4711 } })), [4711])
  assert.deepEqual(await created(() => store.placeOrder({ body: { petId: 4711, id: 12 } })), [12])
  assert.deepEqual(await created(() => store.createKey({ body: key })), [(await newestKey(petstore)) as number])
  assert.deepEqual(await created(() => store.addPet({ body: { ...pet, id: 4711 } }).catch(() => {})), [undefined])
  assert.deepEqual(await created(() => store.updatePetWithForm({ params: { petId: 4711 }, query: {} })), [undefined])

  const post = () =>
    fetch(`${petstore.url}/api/v3/pet`, {
      method: "POST",
      headers: { api_key: "special-key", "content-type": "application/json", "idempotency-key": "once" },
      body: JSON.stringify({ ...pet, id: 4712 }),
    })
  assert.deepEqual([await created(post), await created(post)], [[4712], [undefined]])
})

const newestKey = async (petstore: Petstore) => (await petstore.as("special-key").listKeys()).value[0]?.id

test("an address is logged in full, truncated or not at all, by the setting", async () => {
  for (const [detail, expected] of [
    ["full", "203.0.113.77"],
    ["truncated", "203.0.113.0"],
    ["none", undefined],
  ] as const) {
    await using petstore = await open({ PETSTORE_LOG_ADDRESS: detail })
    const headers = { "x-forwarded-for": "203.0.113.77" }
    const [line] = await linesOf(petstore, () => fetch(`${petstore.url}/livez`, { headers }))
    assert.equal(line?.["client.address"], expected)
  }
})

test("a caller's own request id is kept when it is well-formed, otherwise replaced", async () => {
  await using petstore = await open()
  const ask = (id: string) => fetch(`${petstore.url}/api/v3/nothing`, { headers: { "x-request-id": id } })
  for (const id of ["a", "6f1c8a52-7d0e-4b8e-9a57-2f3d1c5e9b10", "Root=1-67891233-abcdef", "x".repeat(128)]) {
    const response = await ask(id)
    assert.equal(response.headers.get("x-request-id"), id)
    assert.equal(((await response.json()) as { requestId: string }).requestId, id)
    assert.equal(JSON.parse(petstore.lines.at(-1) as string).requestId, id)
  }
  for (const id of ["", 'a"b', "a b", "a,b", "x".repeat(129), "ä", "<script>"]) {
    const response = await ask(id)
    assert.match(response.headers.get("x-request-id") as string, /^[\w-]{12}-\w+$/)
  }
})

test("a request in a trace is logged with the trace id", async () => {
  await using petstore = await open()
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  const idOf = async (traceparent: string) => {
    const [line] = await linesOf(petstore, () => fetch(`${petstore.url}/livez`, { headers: { traceparent } }))
    return line?.trace_id
  }
  assert.equal(await idOf(`00-${trace}-00f067aa0ba902b7-01`), trace)
  assert.equal(await idOf(`cc-${trace}-00f067aa0ba902b7-01-what-the-future-will-be-like`), trace)
  for (const invalid of [
    "",
    `ff-${trace}-00f067aa0ba902b7-01`,
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `00-${trace}-${"0".repeat(16)}-01`,
    `00-${trace.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${trace}-00f067aa0ba902b7-01x`,
    '00-"},{"level":50}-00f067aa0ba902b7-01',
  ])
    assert.equal(await idOf(invalid), undefined, invalid)
})
