import assert from "node:assert/strict"
import { test } from "node:test"
import { classicOperations } from "../../../src/domain/api.ts"
import { classicClient } from "../../harness/classic-client.ts"
import { hasNamedSandboxes } from "../../harness/database.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

const send = classicClient(petstore, "/v2")

const acknowledged = (message: string) => ({ code: 200, type: "unknown", message })

test("the pets and orders of v2 are those of v3, on the paths of v2", async () => {
  const { value: pet } = await send("POST", "/pet", {
    id: 4711,
    name: "doggie",
    photoUrls: ["string"],
    tags: [{ id: 0, name: "v2" }],
  })
  assert.deepEqual((await petstore.as("special-key").getPetById({ params: { petId: 4711 } })).value, pet)
  assert.deepEqual((await send("GET", "/pet/4711/")).value, pet)
  assert.deepEqual((await send("GET", "/pet/findByTags?tags=v2")).value, [pet])
  assert.equal((await send("PUT", "/pet", { ...pet, name: "Rex" })).value.name, "Rex")
  const { value, headers } = await send("GET", "/pet/findByStatus?status=available&limit=1")
  assert.equal(value[0].id, 4711)
  assert.match(headers.get("link") ?? "", /<http:\/\/[^/]+\/v2\/pet\/findByStatus\?.*>; rel="next"/)

  const order = (await send("POST", "/store/order", { petId: 4711, quantity: 1, status: "placed", complete: true }))
    .value
  assert.deepEqual((await send("GET", `/store/order/${order.id}`)).value, order)
  assert.ok((await send("GET", "/store/inventory")).value.pending > 0)
  assert.equal((await send("DELETE", `/store/order/${order.id}`)).value.code, 200)
  assert.equal((await send("DELETE", "/pet/4711")).value.code, 200)
  const absent = await send("GET", "/pet/4711")
  assert.deepEqual({ status: absent.status, message: absent.value.message }, { status: 404, message: "Pet not found" })
})

test("what v2 acknowledges is acknowledged in its format", async () => {
  const form = await fetch(`${petstore.url}/v2/pet/1`, {
    method: "POST",
    headers: { api_key: "special-key" },
    body: new URLSearchParams({ name: "Rex" }),
  })
  assert.deepEqual(await form.json(), acknowledged("1"))
  const user = { id: 4711, username: "theUser", password: "12345" }
  assert.deepEqual((await send("POST", "/user", user)).value, acknowledged("4711"))
  assert.deepEqual((await send("PUT", "/user/theUser", { firstName: "John" })).value, acknowledged("4711"))
  for (const [n, path] of ["/user/createWithArray", "/user/createWithList"].entries())
    assert.deepEqual((await send("POST", path, [{ username: `listed${n}`, password: "1" }])).value, acknowledged("ok"))
  assert.equal((await send("GET", "/user/theUser")).value.firstName, "John")

  const login = await send("GET", "/user/login?username=theUser&password=12345")
  const [, token] = /^logged in user session:(pss_\w+)$/.exec(login.value.message) ?? []
  assert.deepEqual(
    { code: login.value.code, hasLimit: Number(login.headers.get("x-rate-limit")) > 0 },
    { code: 200, hasLimit: true },
  )
  const known = await fetch(`${petstore.url}/v2/user/theUser`, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(known.status, 200)
  assert.equal((await send("GET", "/user/logout")).value.code, 200)
  assert.equal((await send("DELETE", "/user/theUser")).value.code, 200)

  const inXml = await send("GET", "/user/login?username=user1&password=password1", undefined, {
    api_key: "special-key",
    accept: "application/xml",
  })
  assert.match(inXml.text, /<apiResponse><code>200<\/code><type>unknown<\/type><message>logged in user session:pss_/)
})

test("in v2, POST and PUT create a pet or replace it", async () => {
  const pet = { id: 4801, name: "one", photoUrls: ["string"] }
  for (const method of ["POST", "PUT"]) {
    const id = pet.id++
    const created = await send(method, "/pet", { ...pet, id })
    const replaced = await send(method, "/pet", { ...pet, id: String(id), name: "two", status: "sold" })
    assert.deepEqual([created.value.name, replaced.value.name, replaced.value.status], ["one", "two", "sold"])
    assert.deepEqual((await petstore.as("special-key").getPetById({ params: { petId: id } })).value, replaced.value)
  }
  const id = 4810
  const racing = Array.from({ length: 20 }, (_, n) =>
    send(n % 2 ? "POST" : "PUT", "/pet", { ...pet, id, name: `${n}` }),
  )
  assert.deepEqual(new Set((await Promise.all(racing)).map(({ status }) => status)), new Set([200]))
  const { value: events } = await petstore.as("special-key").listEvents({ query: { limit: 1000 } })
  const kinds = events.flatMap(({ event, data }) => ("id" in data && data.id === id ? [event] : []))
  assert.deepEqual(kinds.toSorted(), ["pet.created", ...Array.from({ length: 19 }, () => "pet.updated")])

  const repeated = { api_key: "special-key", "content-type": "application/json", "idempotency-key": "v2" }
  const twice = [
    await send("POST", "/pet", { ...pet, id, name: "key" }, repeated),
    await send("POST", "/pet", { ...pet, id, name: "key" }, repeated),
  ]
  assert.deepEqual(
    twice.map(({ headers }) => headers.get("idempotency-replayed")),
    [null, "true"],
  )
  assert.equal(twice[0]?.text, twice[1]?.text)
  const order = await send("POST", "/store/order", { petId: id })
  assert.equal(order.status, 200)
  assert.equal((await send("POST", "/pet", { ...pet, id, status: "available" })).status, 409)
})

test("errors of v2 are classic unless the request accepts problem documents", async () => {
  const error = (message: string) => ({ code: 1, type: "error", message })
  const absent = await send("GET", "/pet/4711")
  assert.deepEqual([absent.headers.get("content-type"), absent.value], ["application/json", error("Pet not found")])
  for (const [method, path, body, status] of [
    ["GET", "/nowhere", undefined, 404],
    ["PATCH", "/pet/1", {}, 405],
    ["POST", "/pet", "{", 400],
    ["POST", "/pet", {}, 422],
  ] as const) {
    const refused = await send(method, path, body)
    assert.deepEqual(
      { status: refused.status, members: Object.keys(refused.value) },
      { status, members: Object.keys(error("")) },
    )
  }
  const anonymous = await send("GET", "/pet/1", undefined, {})
  assert.deepEqual([anonymous.status, anonymous.value.code], [401, 1])
  const named = { api_key: "special-key", accept: "application/json, application/problem+json" }
  assert.equal((await send("GET", "/pet/4711", undefined, named)).value.code, "pet-not-found")
  const inXml = await send("GET", "/pet/4711", undefined, { api_key: "special-key", accept: "application/xml" })
  assert.match(inXml.text, /<apiResponse><code>1<\/code><type>error<\/type><message>Pet not found</)
})

test("the Swagger 2.0 document of v2 lists its operations at the address of the service or the sandbox", async () => {
  for (const root of hasNamedSandboxes ? ["", "/s/swagger"] : [""]) {
    const { host } = new URL(petstore.url)
    const { value: document } = await classicClient(petstore, `${root}/v2`)("GET", "/swagger.json")
    assert.deepEqual([document.swagger, document.host, document.basePath], ["2.0", host, `${root}/v2`])
    const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values)
    const found = operations.map(({ operationId }) => operationId)
    assert.deepEqual(found.toSorted(), [...classicOperations, "createUsersWithArrayInput"].toSorted())
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    for (const reference of references) {
      const [, name = ""] = /"#\/definitions\/(\w+)"$/.exec(reference) ?? []
      assert.ok(document.definitions[name], reference)
    }
  }
  const inYaml = await fetch(`${petstore.url}/v2/swagger.yaml`)
  assert.match(await inYaml.text(), /^swagger: "2\.0"\n/)
})

test("what v2 never had is absent, and all of it is where it is switched off", async () => {
  for (const path of ["/keys", "/webhooks", "/events", "/pet/1/images"])
    assert.equal((await send("GET", path)).status, 404)
  assert.equal((await send("PATCH", "/pet/1", {})).status, 405)
  await using without = await startPetstore({ env: { PETSTORE_CLASSIC_V2: "off" } })
  const { status } = await fetch(`${without.url}/v2/pet/1`, { headers: { api_key: "special-key" } })
  assert.equal(status, 404)
})
