import assert from "node:assert/strict"
import { test } from "node:test"
import { hasNamedSandboxes } from "../../harness/database.ts"
import { makeImage } from "../../harness/images.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { rawConnection } from "../../harness/raw-http.ts"
import { sender } from "../../harness/send.ts"
import { usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
const send = sender(petstore)

const members = {
  Pet: ["category", "id", "name", "photoUrls", "status", "tags"],
  Category: ["id", "name"],
  Tag: ["id", "name"],
  Order: ["complete", "id", "petId", "quantity", "shipDate", "status"],
  User: ["email", "firstName", "id", "lastName", "phone", "userStatus", "username"],
  ApiResponse: ["code", "message", "type"],
}

test("classic resources have exactly the classic members, because strict clients reject others (slow)", async () => {
  const { components } = (await send("GET", "/openapi.json")).value
  const described = Object.keys(members).map((name) => [name, Object.keys(components.schemas[name].properties).sort()])
  assert.deepEqual(Object.fromEntries(described), members)

  const draft = { name: "Rex", photoUrls: [], tags: [{ name: "a" }], category: { name: "b" } }
  const { value: pet } = await send("POST", "/pet", draft)
  const { value: order } = await send("POST", "/store/order", { petId: pet.id, shipDate: "2026-01-02T03:04:05Z" })
  const user = { username: "strict", password: "1", firstName: "a", lastName: "b", email: "a@b", phone: "1" }
  const { value: registered } = await send("POST", "/user", user)
  const bytes = new Blob([new Uint8Array(await makeImage("png"))])
  const upload = await petstore.as("special-key").uploadFile({ params: { petId: pet.id }, upload: bytes })
  const sent = {
    ...{
      Pet: pet,
      Category: pet.category,
      Tag: pet.tags[0],
      Order: order,
      User: registered,
      ApiResponse: upload.value,
    },
  }
  for (const [name, value] of Object.entries(sent))
    assert.deepEqual(Object.keys(value).sort(), members[name as keyof typeof members], name)
  const [newest] = (await send("GET", "/user?limit=1")).value
  assert.deepEqual(newest, registered)
})

test("roles have operations of their own: users read their own, staff any, and lists are for staff", async () => {
  const store = petstore.as("special-key")
  await store.createUser({ body: { username: "holder", password: "1" } })
  const { id } = (await store.grantRole({ params: { username: "holder", role: "staff" } })).value
  assert.deepEqual((await store.getRole({ params: { username: "HOLDER" } })).value, {
    id,
    username: "holder",
    role: "staff",
  })
  const { value: roles, headers } = await store.listRoles({ query: { limit: 1 } })
  assert.deepEqual(roles, [{ id, username: "holder", role: "staff" }])
  assert.match(headers.get("link") ?? "", /rel="next"/)

  const { value: token } = await store.logIn({ body: { username: "user1", password: "password1" } })
  const customer = petstore.withToken(token)
  assert.equal((await customer.getRole({ params: { username: "user1" } })).value.role, "customer")
  await assert.rejects(customer.getRole({ params: { username: "holder" } }), { message: "User not found" })
  await assert.rejects(customer.listRoles(), { code: "role-missing" })
})

/** The lines of the head of a response. */
async function headOf(request: string): Promise<string[]> {
  using connection = await rawConnection(petstore.url)
  connection.send(`${request}\r\nHost: x\r\napi_key: special-key\r\nConnection: close\r\n\r\n`)
  const [head = ""] = (await connection.closed).split("\r\n\r\n")
  return head.split("\r\n").slice(1)
}

for (const path of [
  "/api/v3/pet/1",
  "/api/v3/pet/4711",
  "/api/v3/pet/x",
  "/api/v3/pet/findByStatus",
  "/docs",
  "/nowhere",
])
  test(`header names of ${path} are in the usual capitalisation, and each appears once`, async () => {
    const lines = await headOf(`GET ${path} HTTP/1.1`)
    const names = lines.map((line) => line.slice(0, line.indexOf(":")))
    for (const name of names) assert.match(name, /^(ETag|RateLimit(-Policy)?|[A-Z][a-z]*(-[A-Z][a-z]*)*)$/)
    assert.deepEqual(names, [...new Set(names)])
    assert.ok(names.includes("Cache-Control") && names.includes("Content-Type"))
  })

test("JSON has no charset parameter, which its media type does not define", async () => {
  for (const path of ["/pet/1", "/openapi.json"])
    assert.equal((await send("GET", path)).headers.get("content-type"), "application/json")
})

test("an empty bearer token beside a valid key counts as absent, and never replaces a credential", async () => {
  for (const authorization of ["Bearer", "Bearer ", "bearer", ""]) {
    const statusOf = async (key: object) =>
      (await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { ...key, authorization } })).status
    assert.equal(await statusOf({ api_key: "special-key" }), 200)
    assert.equal(await statusOf({ api_key: "invented" }), 401)
    assert.equal(await statusOf({}), 401)
  }
})

test("a form in ASCII may name any charset", async () => {
  const headers = {
    api_key: "special-key",
    "content-type": "application/x-www-form-urlencoded; charset=ISO-8859-1",
  }
  assert.equal((await send("POST", "/pet/1", "name=Rex+%26+Co", headers)).value.name, "Rex & Co")
  for (const name of ["R%E9x", "%C3%A9", "%c3%a9", "\u00e9"])
    assert.equal((await send("POST", "/pet/1", `name=${name}`, headers)).status, 415, name)
  assert.equal((await send("GET", "/pet/1")).value.name, "Rex & Co")
})

test("a body in ASCII may name any charset, and JSON has no charset", async () => {
  const xml = "<pet><name>X</name><photoUrls/></pet>"
  const json = '{"name":"X","photoUrls":[]}'
  const form = "name=X&photoUrls=a.jpg"
  const multipart = `--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nX\r\n--b--\r\n`
  const post = async (body: string, type: string) =>
    (await send("POST", "/pet", body, { api_key: "special-key", "content-type": type })).status
  for (const charset of ["ISO-8859-1", "us-ascii", "utf8", "UTF-8", '"windows-1252"', "unknown"]) {
    assert.equal(await post(xml, `application/xml; charset=${charset}`), 200, charset)
    assert.equal(
      await post(`<?xml version="1.0" encoding=${JSON.stringify("ISO-8859-1")}?>${xml}`, "application/xml"),
      200,
    )
    assert.equal(await post(json, `application/json; charset=${charset}`), 200, charset)
    assert.equal(await post(form, `application/x-www-form-urlencoded; charset=${charset}`), 200, charset)
    assert.equal(await post(multipart, `multipart/form-data; charset=${charset}; boundary=b`), 200, charset)
    const patch = { api_key: "special-key", "content-type": `application/merge-patch+json; charset=${charset}` }
    assert.equal((await send("PATCH", "/pet/3", '{"name":"X"}', patch)).status, 200, charset)
  }
  assert.equal(await post(json.replace("X", "\u00e9"), "application/json; charset=ISO-8859-1"), 200)
  assert.equal(await post(xml.replace("X", "\u00e9"), "application/xml; charset=ISO-8859-1"), 415)
  assert.equal(await post(xml.replace("X", "\u00e9"), "application/xml; charset=utf8"), 200)
})

test("a request without tags is refused in the classic words", async () => {
  for (const query of ["", "?tags="])
    assert.match((await send("GET", `/pet/findByTags${query}`)).value.message, /No tags provided/)
})

test("with PETSTORE_ANONYMOUS requests without a valid credential act for its key, and a valid credential for itself", async () => {
  await using open = await startPetstore({ env: { PETSTORE_ANONYMOUS: "pro-key" } })
  const accountOf = async (headers: Record<string, string>, root = "") =>
    (await sender(open, `${root}/api/v3`)("GET", "/account", undefined, headers)).value.plan
  const expired = { authorization: "Bearer invented" }
  for (const headers of [{}, { api_key: "invented" }, expired, { ...expired, api_key: "free-key" }] as const)
    assert.equal(await accountOf(headers), "pro")
  assert.equal(await accountOf({ api_key: "free-key" }), "free")
  if (hasNamedSandboxes) assert.equal(await accountOf({}, "/s/anyone"), "pro")
  const refused = await fetch(`${open.url}/api/v3/accounts`)
  assert.equal(refused.status, 403)
  await refused.body?.cancel()
})
