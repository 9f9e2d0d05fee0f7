import assert from "node:assert/strict"
import { test } from "node:test"
import { classicOperations } from "../../../src/domain/api.ts"
import { hasNamedSandboxes } from "../../harness/database.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { sender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()

const send = sender(petstore, "/v2")

const acknowledged = (message: string) => ({ code: 200, type: "unknown", message })

test("the pets and orders of v2 are those of v3, on the paths of v2", async () => {
  const { value: pet } = await send("POST", "/pet", {
    id: 4711,
    name: "doggie",
    photoUrls: ["string"],
    tags: [{ name: "v2" }],
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

test("ids that a client sends in category and tags come back below v2, and v3 shows its own", async () => {
  const sent = { id: 4820, name: "one", photoUrls: ["a"], category: { id: 77, name: "sent" } }
  const tags = [
    { id: 0, name: "zero" },
    { id: -1, name: "__proto__" },
    { id: 99, name: "tag, ünique" },
  ]
  const [as, v3] = [petstore.as("special-key"), { params: { petId: sent.id } }]
  const shown = async () => (await send("GET", "/pet/4820")).value
  const all = { ...sent, tags, status: "available" }

  assert.deepEqual((await send("POST", "/pet", { ...sent, tags })).value, all)
  assert.deepEqual(await shown(), all)
  assert.equal((await send("GET", "/pet/4820")).headers.has("etag"), false)
  for (const list of ["findByTags?tags=zero", "findByStatus?status=available&limit=1"])
    assert.deepEqual((await send("GET", `/pet/${list}`)).value, [all])
  const inXml = await send("GET", "/pet/4820", undefined, { api_key: "special-key", accept: "application/xml" })
  assert.match(inXml.text, /<category><id>77<\/id><name>sent<\/name><\/category>/)
  const own = (await as.getPetById(v3)).value
  assert.ok(own.category && own.category.id !== 77 && own.tags.every(({ id }) => id > 0 && id !== 99))

  // The same names have other ids in another pet.
  const other = {
    ...sent,
    id: 4821,
    category: { id: "78", name: "sent" },
    tags: [{ id: 1, name: "zero" }, { name: "without" }],
  }
  const { value: made } = await send("PUT", "/pet", other)
  assert.deepEqual([made.category.id, made.tags[0].id], [78, 1])
  assert.ok(made.tags[1].id > 0)
  assert.deepEqual(await shown(), all)

  // A change by v3 keeps the ids of the names that remain; a change below v2 replaces all of them.
  await as.patchPet({ ...v3, body: { tags: [{ name: "zero" }, { name: "added" }] } })
  const patched = await shown()
  assert.deepEqual([patched.category.id, patched.tags[0].id, patched.tags.length], [77, 0, 2])
  assert.ok(patched.tags[1].id > 0)
  const unsent = { ...sent, category: { name: "sent" } }
  assert.equal((await send("PUT", "/pet", unsent)).value.category.id, own.category.id)
  assert.deepEqual((await send("GET", "/pet/4820")).text, JSON.stringify((await as.getPetById(v3)).value))

  const xml = "<pet><id>4820</id><category><id>5</id><name>sent</name></category><name>x</name></pet>"
  await send("PUT", "/pet", xml, { api_key: "special-key", "content-type": "application/xml" })
  assert.equal((await shown()).category.id, 5)
  await as.deletePet({ ...v3, body: undefined } as never)
  const again = (await as.addPet({ body: unsent })).value
  assert.deepEqual(await shown(), again)
  for (const id of [2 ** 60, "x", 1.5])
    assert.equal((await send("POST", "/pet", { ...sent, category: { id, name: "sent" } })).value.code, 1)
})

test("in v2, a pet needs no photo URL, and empty ones are dropped", async () => {
  for (const [photoUrls, kept] of [
    [undefined, []],
    [null, []],
    [[], []],
    [[""], []],
    [["", "a", ""], ["a"]],
  ]) {
    for (const draft of [
      { name: "bare", photoUrls },
      { id: 4830, name: "bare", photoUrls },
    ])
      for (const method of "id" in draft ? ["POST", "PUT"] : ["POST"]) {
        const { status, value } = await send(method, "/pet", draft)
        assert.deepEqual([status, value.photoUrls], [200, kept])
      }
  }
  for (const xml of ["", "<photoUrls/>", "<photoUrls><photoUrl/></photoUrls>"]) {
    const headers = { api_key: "special-key", "content-type": "application/xml", accept: "application/json" }
    const { value } = await send("POST", "/pet", `<pet><name>bare</name>${xml}</pet>`, headers)
    assert.deepEqual(value.photoUrls, [])
  }
  for (const photoUrls of ["", {}, [null], ["javascript:x"]])
    assert.equal((await send("POST", "/pet", { name: "bare", photoUrls })).status, 422, JSON.stringify(photoUrls))
})

test("in v2, a request without body and type is 415", async () => {
  const as = { api_key: "special-key" }
  for (const [method, path] of [
    ["POST", "/pet"],
    ["PUT", "/pet"],
    ["POST", "/store/order"],
    ["POST", "/user"],
    ["POST", "/user/createWithList"],
    ["PUT", "/user/user1"],
  ] as const) {
    assert.equal((await send(method, path, undefined, as)).status, 415, path)
    assert.equal((await send(method, path, "", { ...as, "content-type": "application/json" })).status, 400, path)
  }
  assert.equal((await send("POST", "/pet/1", undefined, as)).status, 200)
})

test("in v2, a PUT by staff creates an unknown user, and a whole record sets another password", async () => {
  const known = async (username: string, password: string) =>
    (await send("GET", `/user/login?username=${username}&password=${password}`)).status
  const user = { id: 4840, username: "putUser", firstName: "Ada", password: "12345678" }
  assert.deepEqual((await send("PUT", "/user/putUser", user)).value, acknowledged("4840"))
  assert.equal(await known("putUser", "12345678"), 200)
  assert.equal((await send("PUT", "/user/unnamed", { password: "12345678" })).status, 200)
  assert.equal((await send("GET", "/user/unnamed")).value.username, "unnamed")
  assert.equal((await send("PUT", "/user/bare", { firstName: "Ada" })).status, 422)
  assert.equal((await send("PUT", "/user/other", { ...user, username: "other" })).status, 409)

  const changed = { ...user, firstName: "Grace", password: "87654321" }
  assert.equal((await send("PUT", "/user/putUser", { ...changed, id: undefined })).status, 403)
  assert.equal((await sender(petstore)("PUT", "/user/putUser", changed)).value.code, "session-required")
  assert.equal((await send("GET", "/user/putUser")).value.firstName, "Ada")
  assert.deepEqual((await send("PUT", "/user/putUser", changed)).value, acknowledged("4840"))
  assert.deepEqual([await known("putUser", "12345678"), await known("putUser", "87654321")], [400, 200])
  assert.equal((await send("GET", "/user/putUser")).value.firstName, "Grace")
  const renamed = { ...changed, username: "putUser2", password: "abcdefgh" }
  assert.equal((await send("PUT", "/user/putUser", renamed)).status, 200)
  assert.equal(await known("putUser2", "abcdefgh"), 200)

  // What a reset refuses changes nothing.
  const { value: admin } = await send("GET", "/user/admin")
  const refused = await send("PUT", `/user/${admin.username}`, { ...admin, firstName: "Eve", password: "87654321" })
  assert.ok(refused.status === 403 || refused.status === 409, String(refused.status))
  assert.deepEqual((await send("GET", "/user/admin")).value, admin)
  const { value: login } = await send("GET", "/user/login?username=unnamed&password=12345678")
  const as = { authorization: `Bearer ${login.message.split(":")[1]}`, "content-type": "application/json" }
  for (const username of ["unknown", "putUser2"])
    assert.equal((await send("PUT", `/user/${username}`, { ...user, username, password: "abcdefghi" }, as)).status, 404)
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
    const { value: document } = await sender(petstore, `${root}/v2`)("GET", "/swagger.json")
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
