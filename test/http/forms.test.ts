import assert from "node:assert/strict"
import { describe, test } from "node:test"
import type { TSchema } from "typebox"
import { type Endpoint, queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { urlencodedType } from "../../src/core/kernel/network/media-types.ts"
import { filledPath } from "../../src/core/kernel/network/path.ts"
import { type JsonSchema, Type } from "../../src/core/kernel/schema/type.ts"
import { everyOperation, exampleOf } from "../harness/operations.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { keySender } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

const withForms = everyOperation.filter(({ endpoint }) => endpoint.consumes?.includes(urlencodedType))

type Served = (typeof everyOperation)[number]
type Sent = string | URLSearchParams | FormData

function targetOf(endpoint: Endpoint): string {
  const { path, params } = endpoint
  const ids = Object.entries<JsonSchema>(params?.properties ?? {}).map(([name, schema]) => [
    name,
    schema.type === "integer" ? "2" : String(exampleOf(schema as TSchema)),
  ])
  const { properties, required = [] } = queryOf(endpoint) as JsonSchema
  const needed = required.map((name) => [name, String(exampleOf(properties?.[name] as TSchema))])
  return `${filledPath(path, Object.fromEntries(ids))}?${new URLSearchParams(needed)}`
}

/** Sends a body to an operation; text without a type is what curl calls a form. */
function sendTo({ base, endpoint }: Served, body: Sent, type = urlencodedType) {
  const headers = { accept: "application/problem+json, application/json;q=0.5" }
  const typed = typeof body === "string" ? { "content-type": type, ...headers } : headers
  return keySender(petstore, base)(endpoint.method, targetOf(endpoint), body, typed)
}

describe("a form that is JSON or XML is 415 and says what to send instead:", () => {
  for (const served of withForms)
    test(`${served.base} ${served.name}`, async () => {
      for (const [body, type] of [
        ['{"status":"sold"}', "application/json"],
        [' \n[{"name":"Rex"}]', "application/json"],
        ['\ufeff{"name":"Rex"}', "application/json"],
        ['<?xml version="1.0"?><pet/>', "application/xml"],
      ] as const) {
        const { status, value } = await sendTo(served, body)
        assert.equal(status, 415, body)
        const isTaken = served.endpoint.consumes?.includes(type)
        assert.match(value.detail, isTaken ? new RegExp(`Send Content-Type: ${type}\\.$`) : /such as name=value/)
      }
    })
})

describe("a body of which nothing is known, where the rest would be ignored, is 422 and names it:", () => {
  const forms = ["nmae", "nmae=Rex", "nmae=&x[y]=1", "=", "%7B%22name%22%3A1%7D"]
  for (const served of withForms)
    test(`the form of ${served.base} ${served.name}`, async () => {
      const multipart = new FormData()
      multipart.append("nmae", "Rex")
      for (const body of [...forms, multipart]) {
        const { status, value } = await sendTo(served, body)
        assert.equal(status, 422, String(body))
        assert.ok(value.errors.some(({ code }: { code: string }) => code === "unknown"))
      }
    })

  for (const served of everyOperation.filter(
    ({ endpoint: { body, consumes } }) => body && Type.IsOptional(body) && !consumes,
  ))
    test(`the JSON of ${served.base} ${served.name}`, async () => {
      const { status, value } = await sendTo(served, '{"un_known":1}', "application/json")
      assert.equal(status, 422)
      assert.ok(value.errors.some(({ pointer }: { pointer: string }) => pointer === "/un_known"))
    })
})

describe("an empty field counts as omitted where it is no free text, in both kinds of forms:", () => {
  const isFreeText = ({ type, enum: words, format }: JsonSchema) =>
    type === "string" && words === undefined && format !== "date-time"

  for (const served of withForms)
    test(`${served.base} ${served.name}`, async () => {
      const { body } = served.endpoint
      const { properties = {}, required = [] } = body as JsonSchema
      const example = exampleOf(body as TSchema) as Record<string, unknown>
      const fields = Object.entries(properties).flatMap(([name, schema]): [string, string][] => {
        const isNeeded = required.includes(name) && schema.type !== "array" && schema.default === undefined
        if (isNeeded) return [[name, name === "username" ? `empty${served.base.length}` : String(example[name])]]
        return isFreeText(schema) ? [] : [[name, ""]]
      })
      assert.ok(fields.length > 0)
      const multipart = new FormData()
      for (const [name, text] of fields) multipart.append(name, text)
      for (const form of [new URLSearchParams(fields), multipart]) {
        const { status, text } = await sendTo(served, form)
        assert.ok(status < 300 || status === 409, `${new URLSearchParams(fields)}: ${status} ${text}`)
      }
    })
})

test("an empty field of free text and an empty required field are not omitted", async () => {
  const send = keySender(petstore)
  for (const [path, form] of [
    ["/pet/2", "name"],
    ["/store/order", "petId="],
    ["/store/order", "petId=+"],
  ] as const)
    assert.equal((await send("POST", path, new URLSearchParams(form))).status, 422, form)
})

test("booleans of forms and XML are those of JSON, XML Schema, HTML and Python", async () => {
  const send = keySender(petstore)
  for (const word of ["true", "True", "1", "on", "false", "False", "0", "off"]) {
    const form = new URLSearchParams({ petId: "9999", complete: word })
    const { value } = await send("POST", "/store/order", form)
    assert.deepEqual(
      value.errors.map(({ pointer }: { pointer: string }) => pointer),
      ["/petId"],
      word,
    )
    const xml = `<o:order xmlns:o="u"><petId>9999</petId><o:complete> ${word} </o:complete></o:order>`
    const inXml = await send("POST", "/store/order", xml, { "content-type": "text/xml" })
    assert.deepEqual(inXml.value.errors.length, 1, word)
  }
})

test("the refusal of a date-time names what is missing, in JSON, forms and parameters, and below /v2 a time may have no seconds", async () => {
  const order = { petId: "2", shipDate: "2024-01-01T10:00Z" }
  for (const body of [{ ...order, petId: 2 }, new URLSearchParams(order)]) {
    const { status, text } = await keySender(petstore)("POST", "/store/order", body)
    assert.match(`${status} ${text}`, /^4.. .*must be a date-time with seconds, such as/)
    const classic = await keySender(petstore, "/v2")("POST", "/store/order", body)
    assert.deepEqual([classic.status, classic.value.shipDate], [200, "2024-01-01T10:00:00Z"])
  }
  const { text } = await keySender(petstore)("GET", "/audit?since=2024-01-01T10:00Z")
  assert.match(text, /since must be a date-time with seconds/)
  const impossible = await keySender(petstore, "/v2")("POST", "/store/order", { petId: 2, shipDate: "2020-05-32" })
  assert.match(impossible.text, /must be a date, a date-time or milliseconds since 1970/)
})

describe("an operation that takes no body returns 415 to one of any kind:", () => {
  for (const { base, name, endpoint } of everyOperation) {
    const { method, body, upload } = endpoint
    // Classic clients leave bodies in requests that read.
    if (body || upload || (base === "/v2" && method === "GET")) continue
    test(`${base} ${name}`, async () => {
      using connection = await rawConnection(petstore.url)
      for (const [sent, type] of [
        ['{"a":1}', "application/json"],
        ["[]", "text/json"],
        ["a=1", urlencodedType],
        ["<a/>", "application/xml"],
        ["a", "text/plain"],
      ] as const) {
        const head = `Host: x\r\napi_key: special-key\r\nContent-Type: ${type}\r\nContent-Length: ${sent.length}`
        connection.send(`${method} ${base}${targetOf(endpoint)} HTTP/1.1\r\n${head}\r\n\r\n${sent}`)
        assert.equal((await connection.response()).status, 415, sent)
      }
    })
  }
})
