import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { TSchema } from "typebox"
import { type Endpoint, queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { filledPath } from "../../src/core/kernel/network/path.ts"
import type { JsonSchema } from "../../src/core/kernel/schema/type.ts"
import { everyOperation, exampleOf } from "../harness/operations.ts"
import { keySender } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const send = keySender(petstore)

type Served = (typeof everyOperation)[number]

const changes = ({ method, audited }: Endpoint) => method !== "GET" || audited !== undefined
/** Makes what does not exist before. */
const makes = ({ method, params }: Endpoint) => method === "POST" && !params

/** Bodies of operations whose example is no JSON, or refers to a file. */
const bodies: Readonly<Record<string, unknown>> = {
  updatePetWithForm: "name=Rex",
  createSandbox: { name: "conditional" },
}

/** Sends the example of an operation about what exists where the sandbox has it. */
function sendExample({ base, name, endpoint }: Served, headers: Record<string, string>) {
  const { method, path, params, body, consumes = ["application/json"], upload } = endpoint
  const ids = Object.entries<JsonSchema>(params?.properties ?? {}).map(([parameter, schema]) => {
    const value = parameter === "username" ? "user2" : schema.type === "integer" ? "2" : exampleOf(schema as TSchema)
    return [parameter, String(value)]
  })
  const { properties, required = [] } = queryOf(endpoint) as JsonSchema
  const query = required.map((name) => [name, String(exampleOf(properties?.[name] as TSchema))])
  const target = `${filledPath(path, Object.fromEntries(ids))}?${new URLSearchParams(query)}`
  const sent = body ? (bodies[name] ?? exampleOf(body)) : upload ? "bytes" : undefined
  const type = upload ? "image/png" : consumes[0]
  return keySender(petstore, base)(
    method,
    target,
    sent,
    sent === undefined || type === undefined ? headers : { "content-type": type, ...headers },
  )
}

const lists = ["/pet", "/orders", "/user", "/webhooks", "/accounts", "/oauth-clients", "/audit", "/sandboxes"]
/** What the sandbox contains, with the number of its events. */
async function everything() {
  const read = await Promise.all([...lists, "/events"].map((path) => send("GET", path)))
  for (const { status, text } of read) assert.equal(status, 200, text)
  return read.map(({ text }) => text)
}

describe("a condition that is not met ends every operation, and changes nothing:", () => {
  let first: string[]
  before(async () => {
    first = await everything()
  })
  for (const served of everyOperation)
    test(`${served.base} ${served.name}`, async () => {
      const { endpoint } = served
      const stale = await sendExample(served, { "if-match": '"x"' })
      // A read that is refused anyway has no conditions.
      const isRefused = !changes(endpoint) && [403, 404].includes(stale.status)
      assert.ok(stale.status === 412 || isRefused, `${stale.status} ${stale.text}`)
      const any = makes(endpoint) ? { "if-match": "*" } : { "if-none-match": "*" }
      const { status, text } = await sendExample(served, any)
      const expected = changes(endpoint) ? [412] : [304, 403, 404]
      assert.ok(expected.includes(status), `${status} ${text}`)
      for (const header of ["if-match", "if-none-match"])
        for (const malformed of ["x", '"x', '*, "x"']) {
          const refused = await sendExample(served, { [header]: malformed })
          assert.ok(
            [400, 403, 404].includes(refused.status),
            `${header}: ${malformed} ${refused.status} ${refused.text}`,
          )
        }
    })
  test("nothing has changed", async () => assert.deepEqual(await everything(), first))
})

test("the descriptions state the form of every condition: what fits is accepted, and tags without quotes are malformed", async () => {
  type Parameter = { name: string; in: string; schema: { pattern?: string } }
  const forms = new Set<string>()
  for (const name of ["openapi.json", "openapi.json?version=3.0", "openapi.classic.json"]) {
    const { text } = await send("GET", `/${name}`)
    JSON.parse(text, (_, part: Parameter | undefined) => {
      if (part?.in === "header" && part.name.startsWith("If-")) forms.add(`${part.name} ${part.schema.pattern}`)
      return part
    })
  }
  assert.deepEqual([...forms].map((form) => form.split(" ")[0]).sort(), ["If-Match", "If-None-Match"])
  for (const form of forms) {
    const [, header = "", pattern = ""] = /^(\S+) (.*)$/.exec(form) ?? []
    for (const value of [
      "",
      "*",
      "x",
      '"x',
      'x"',
      '""',
      '"x"',
      'W/"x"',
      'w/"x"',
      '"x", W/"y"',
      '"x" ,"y"',
      '*, "x"',
      '"x y"',
    ]) {
      const { status } = await send("GET", "/pet/1", undefined, { [header]: value })
      assert.equal(status !== 400, new RegExp(pattern, "u").test(value), `${header}: ${value}`)
    }
  }
})

test("a condition that is met lets orders, users and webhooks be changed", async () => {
  for (const [method, path, body, headers] of [
    ["GET", "/store/order/2", undefined, { "if-match": "*" }],
    ["GET", "/store/inventory", undefined, { "if-none-match": '"x", W/"y"' }],
    ["POST", "/pet", { name: "new", photoUrls: [] }, { "if-none-match": "*" }],
    ["POST", "/user", { username: "conditional", password: "12345678" }, { "if-none-match": "*" }],
    ["PUT", "/user/conditional", { firstName: "A" }, { "if-match": "*" }],
    ["DELETE", "/user/conditional", undefined, { "if-match": "*", "if-none-match": '"x"' }],
    ["DELETE", "/store/order/2", undefined, { "if-match": "*" }],
  ] as const) {
    const { status, text } = await send(method, path, body, headers)
    assert.equal(status, 200, `${method} ${path}: ${text}`)
  }
})

describe("the conditions of a pet are those of its ETag, in every operation on it:", () => {
  const changesOf = (id: number) =>
    [
      ["PUT", "/pet", { id, name: "b", photoUrls: [] }],
      ["PATCH", `/pet/${id}`, { name: "b" }],
      ["POST", `/pet/${id}?name=b`, undefined],
      ["DELETE", `/pet/${id}`, undefined],
    ] as const

  for (const base of ["/api/v3", "/v2"])
    test(`at ${base}`, async () => {
      const made = await send("POST", "/pet", { name: "a", photoUrls: [] })
      const [id, etag] = [made.value.id as number, made.headers.get("etag") as string]
      for (const [method, path, body] of changesOf(id)) {
        if (method === "PATCH" && base === "/v2") continue
        for (const headers of [
          { "if-none-match": etag },
          { "if-none-match": `"x", W/${etag}` },
          { "if-none-match": "*" },
          { "if-match": '"x"' },
          { "if-match": `W/${etag}` },
          { "if-match": etag, "if-none-match": etag },
        ]) {
          const { status, text } = await keySender(petstore, base)(method, path, body, headers)
          assert.equal(status, 412, `${method} ${JSON.stringify(headers)} ${text}`)
        }
        assert.equal((await send("GET", `/pet/${id}`)).headers.get("etag"), etag)
        const weak = await send(method, path, body, { "if-match": `W/${etag}` })
        if (base !== "/v2") assert.match(weak.value.detail, /weak tag/)
      }
      const put = { id, name: "b", photoUrls: [] }
      const met = { "if-match": etag, "if-none-match": '"x"' }
      assert.equal((await keySender(petstore, base)("PUT", "/pet", put, met)).status, 200)
    })

  test("a pet that does not exist is not created below /v2 where If-Match requires one, and an existing one not replaced", async () => {
    const v2 = keySender(petstore, "/v2")
    const pet = { id: 77_001, name: "a", photoUrls: [] }
    assert.equal((await v2("PUT", "/pet", pet, { "if-match": "*" })).status, 404)
    assert.equal((await v2("POST", "/pet", pet, { "if-match": "*" })).status, 412)
    assert.equal((await send("GET", `/pet/${pet.id}`)).status, 404)
    assert.equal((await v2("PUT", "/pet", pet, { "if-none-match": "*" })).status, 200)
    assert.equal((await v2("POST", "/pet", { ...pet, name: "b" }, { "if-none-match": "*" })).status, 412)
    assert.equal((await send("GET", `/pet/${pet.id}`)).value.name, "a")
  })

  test("nor is a user who does not exist", async () => {
    const user = { username: "absent", password: "12345678" }
    const put = (headers: Record<string, string>) => keySender(petstore, "/v2")("PUT", "/user/absent", user, headers)
    assert.equal((await put({ "if-match": "*" })).status, 404)
    assert.equal((await send("GET", "/user/absent")).status, 404)
    assert.equal((await put({ "if-none-match": '"x"' })).status, 200)
  })

  test("of many changes under one tag exactly one is made", async () => {
    const made = await send("POST", "/pet", { name: "a", photoUrls: [] })
    const headers = { "if-match": made.headers.get("etag") as string }
    const changing = Array.from({ length: 20 }, (_, n) =>
      send("PATCH", `/pet/${made.value.id}`, { name: `${n}` }, headers),
    )
    const statuses = (await Promise.all(changing)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(19).fill(412)])
  })

  test("a create that is repeated with its Idempotency-Key is replayed, and one that is refused keeps no response", async () => {
    const body = { name: "a", photoUrls: [] }
    const keyed = { "idempotency-key": "conditional", "if-none-match": "*" }
    const [first, again] = [await send("POST", "/pet", body, keyed), await send("POST", "/pet", body, keyed)]
    assert.deepEqual([again.status, again.text], [200, first.text])
    const other = { "idempotency-key": "refused" }
    assert.equal((await send("POST", "/pet", body, { ...other, "if-match": "*" })).status, 412)
    assert.equal((await send("POST", "/pet", body, other)).headers.get("idempotency-replayed"), null)
  })
})
