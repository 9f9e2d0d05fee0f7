import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import type { TSchema } from "typebox"
import { readEventStream } from "../src/client/receiving/event-stream.ts"
import { problemExample } from "../src/core/api/problems/problem-example.ts"
import { ownProblemsOf, problemsOf } from "../src/core/api/problems/problem-responses.ts"
import { api } from "../src/core/domain/api.ts"
import { type ProblemCode, problems } from "../src/core/domain/problems/problems.ts"
import type { Scope } from "../src/core/domain/scopes.ts"
import { type Endpoint, queryOf } from "../src/core/kernel/endpoint/endpoint.ts"
import {
  eventStreamType,
  formTypes,
  isJsonType,
  multipartType,
  ndjsonType,
  urlencodedType,
  xmlType,
} from "../src/core/kernel/network/media-types.ts"
import { basePath, filledPath } from "../src/core/kernel/network/path.ts"
import { writeXml } from "../src/core/server/xml/write-xml.ts"
import { openapi } from "../src/parts/descriptions/openapi/document.ts"
import { exampleOf } from "../src/parts/descriptions/openapi/example.ts"
import { before, usePetstore } from "./harness/use.ts"

type Example = { example?: unknown; examples?: Record<string, { value?: unknown }>; schema?: object }
type Content = Record<string, Example>
type Parameter = Example & { name: string; in: "path" | "query" | "header"; required?: boolean }
type Operation = {
  operationId: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content; required?: boolean }
  responses: Record<string, DescribedResponse>
}
type DescribedResponse = { description: string; content?: Content; headers?: object }

type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  tags: { name: string }[]
  components: Record<string, Record<string, object>>
}

const document = openapi(api, "0.0.0") as unknown as Document

/** An operation with its references to parameters and responses resolved. */
const resolved = ({ parameters = [], responses, ...rest }: Operation): Operation => ({
  ...rest,
  parameters: parameters.map(resolve),
  responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, resolve(response)])),
})

/** The target of a reference into the components, or the value itself. */
const resolve = <T extends object>(value: T): T => {
  const [section, name] = (value as { $ref?: string }).$ref?.split("/").slice(-2) ?? []
  return section && name ? resolve(document.components[section]?.[name] as T) : value
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation: resolved(operation) })),
)
const webhooks = Object.values(document.webhooks).map(({ post }) => resolved(post))

const petstore = usePetstore()
/** The token of a user who has granted the reference a consent. */
let session: string
before(async () => {
  const store = petstore.as("special-key")
  session = (await store.logIn({ body: { username: "user2", password: "password2" } })).value
  const grant = { kind: "Grant", hash: "h", uid: undefined, grantId: "g", clientId: "petstore-docs", userId: 1002 }
  const rest = { scope: "", json: '{"iat":1767225600}', expiresAt: petstore.clock.now() + 1000, consumedAt: undefined }
  await petstore.store.transaction((tx) => tx.oauthRecords.put({ ...grant, ...rest }))
  const { value } = await store.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  await store.testWebhook({ params: { webhookId: value.id } })
})

test("every required parameter, body and response of the description has an example", () => {
  const bare: string[] = []
  const check = (where: string, described: Example) => {
    if (shown(described) === undefined) bare.push(where)
  }
  for (const operation of [...operations.map((each) => each.operation), ...webhooks]) {
    const { operationId, parameters = [], requestBody, responses } = operation
    for (const parameter of parameters) if (parameter.required) check(`${operationId} ${parameter.name}`, parameter)
    for (const body of jsonAndForms(requestBody?.content)) check(`${operationId} body`, body)
    for (const [status, response] of Object.entries(responses))
      for (const example of jsonAndForms(response.content)) check(`${operationId} ${status}`, example)
  }
  assert.deepEqual(bare, [])
})

test("every body in JSON has its own example, which importers of collections send", () => {
  const described = [...operations.map((each) => each.operation), ...webhooks]
  const bare = described.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((body) =>
      Object.entries(body?.content ?? {})
        .filter(([type, { example, examples }]) => isJsonType(type) && (example ?? examples) === undefined)
        .map(([type]) => `${operationId} ${type}`),
    ),
  )
  assert.deepEqual(bare, [])
})

test("no example is a placeholder: the word text, the lower bound of a number, or a status that HTTP does not have", () => {
  const found: string[] = []
  const check = (value: unknown, path: string, isExample: boolean): void => {
    if (isExample && (value === "text" || (typeof value === "number" && value < 0))) found.push(path)
    if (isExample && path.endsWith("/status") && typeof value === "number" && value < 200) found.push(path)
    if (typeof value !== "object" || value === null) return
    for (const [name, part] of Object.entries(value))
      check(part, `${path}/${name}`, isExample || name === "example" || name === "examples")
  }
  check(document, "", false)
  assert.deepEqual(found, [])
})

const codesIn = (text: string) => [...text.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code as ProblemCode)

test("every problem of an operation is described at its status, and its own problems in their own words", () => {
  for (const { operation } of operations) {
    const endpoint: Endpoint<Scope, ProblemCode> = api[operation.operationId as keyof typeof api]
    const { responses } = operation
    for (const code of problemsOf(endpoint)) {
      const response = responses[problems[code].status] ?? (responses.default as DescribedResponse)
      const described = codesIn(response.description + operation.description)
      assert.ok(described.includes(code), `${operation.operationId} ${code}`)
    }
    const statuses = new Set(problemsOf(endpoint).map((code) => `${problems[code].status}`))
    for (const status of Object.keys(responses).filter((one) => one >= "400" && one !== "default"))
      assert.ok(statuses.has(status), `${operation.operationId} never responds ${status}`)
    const [, refusals = ""] = operation.description.split("May be refused with ")
    assert.deepEqual(codesIn(refusals), ownProblemsOf(endpoint))
  }
})

test("the example of every problem is valid", () => {
  for (const [code, { status }] of Object.entries(problems)) {
    const example = problemExample(code as ProblemCode)
    assert.deepEqual({ code: example.code, status: example.status }, { code, status })
    assertFits(example, { $ref: "#/components/schemas/Problem" })
  }
})

test("every tag in use is described", () => {
  const described = new Set<string>(document.tags.map(({ name }) => name))
  for (const { tags } of [...operations.map((each) => each.operation), ...webhooks])
    for (const tag of tags) assert.ok(described.has(tag), tag)
})

/** Create first, then read, change, and delete last, nested resources before their parents, so that each operation finds its resource. */
const orderOf = ({ method, path }: { method: string; path: string }): number => {
  if (method === "post" && !path.includes("{")) return 0
  const depth = method === "delete" ? path.split("/").length / 100 : 0
  return ["get", "put", "patch", "post", "delete"].indexOf(method) + 1 - depth
}

for (const each of operations.toSorted((a, b) => orderOf(a) - orderOf(b)))
  test(`${each.operation.operationId}: all its examples, sent together, get the described response`, async () => {
    const [body] = bodiesOf(each.operation)
    const response = await send(each, { body, parameters: illustrated(each.operation) })
    const [status, success] = Object.entries(each.operation.responses)[0] as [string, Success]
    const [contentType, { schema }] = Object.entries(success.content)[0] as [string, { schema: object }]
    const text = await (contentType === eventStreamType ? firstOf(response) : response.text())
    assert.equal(String(response.status), status, text)
    assertFits(contentType === eventStreamType ? { data: text } : JSON.parse(text), schema)
    for (const [name, header] of Object.entries(success.headers ?? {}))
      if (resolve(header).required) assert.ok(response.headers.has(name), name)
  })

test("an optional parameter without an example excludes others, and is accepted alone (slow)", async () => {
  for (const each of operations) {
    const { operationId, parameters = [] } = each.operation
    const required = parameters.filter((one) => one.required)
    for (const bare of parameters.filter((one) => one.in === "query" && shown(one) === undefined)) {
      const property = queryOf(api[operationId as keyof typeof api]).properties[bare.name] as TSchema
      const alone = [...required, { ...bare, example: exampleOf(property) }]
      const body = each.operation.requestBody?.required ? bodiesOf(each.operation)[1] : undefined
      const sandbox = await newSandbox(each.path)
      const response = await send(each, { body, parameters: alone, sandbox })
      assert.equal(response.status, 200, `${operationId} ${bare.name}: ${await response.text()}`)
    }
  }
})

test("the example of every body is accepted in every type that the operation takes: XML, forms, lines, files (slow)", async () => {
  const written = new Set<string>()
  for (const each of operations)
    for (const body of bodiesOf(each.operation).slice(1)) {
      const sandbox = await newSandbox(each.path)
      const response = await send(each, { body, parameters: illustrated(each.operation), sandbox })
      assert.equal(response.status, 200, `${each.operation.operationId} ${body.type}: ${await response.text()}`)
      written.add(body.type)
    }
  for (const type of [xmlType, ...formTypes, ndjsonType, "image/*"]) assert.ok(written.has(type), type)
})

type Success = { content: Content; headers?: Record<string, { required?: boolean }> }
type Described = (typeof operations)[number]
type Sending = { body: Body | undefined; parameters: Parameter[]; sandbox?: string }

/** The parameters with an example. */
const illustrated = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((one) => shown(one) !== undefined)

async function send({ path, method, operation }: Described, { body, parameters, sandbox }: Sending): Promise<Response> {
  const pairsIn = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .flatMap((one) => [shown(one)].flat().map((value): [string, string] => [one.name, `${value}`]))
  const values = { ...Object.fromEntries(pairsIn("path")), ...(isPredefined(path) && { id: 4 }) }
  const address = `${petstore.url}${basePath}${filledPath(path, values)}?${new URLSearchParams(pairsIn("query"))}`
  return fetch(address, {
    method: method.toUpperCase(),
    headers: {
      ...Object.fromEntries(pairsIn("header")),
      ...(sandbox === undefined ? credentialFor(operation) : { api_key: "special-key", "petstore-sandbox": sandbox }),
      // A form has its own boundary.
      ...(body && body.type !== multipartType && { "content-type": body.type.replace("*", "gif") }),
    },
    ...(body && { body: textOf(operation, body) }),
  })
}

let sandboxes = 0

/** A sandbox that has, besides its seed, what the examples of paths name. */
async function newSandbox(path: string): Promise<string> {
  sandboxes += 1
  const name = `examples-${sandboxes}`
  const store = petstore.as("special-key", { headers: { api_key: "special-key", "petstore-sandbox": name } })
  if (path.includes("{username}")) await store.createUser({ body: { username: "theUser", password: "password" } })
  const { value } = await store.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  await store.testWebhook({ params: { webhookId: value.id } })
  return name
}

/** The first three keys and accounts belong to the sandbox and must not be changed. */
const isPredefined = (path: string): boolean => /^\/(keys|accounts)\//.test(path)

/** The data of the first event of a stream, which this function causes. */
async function firstOf(response: Response): Promise<string> {
  await petstore.as("special-key").addPet({ body: { name: "Streamed", photoUrls: [] } })
  for await (const { data } of readEventStream(response.body as AsyncIterable<Uint8Array>))
    if (data !== undefined) return data
  return ""
}

const credentialFor = ({ operationId }: Operation): Record<string, string> =>
  usersOnly.includes(operationId) ? { authorization: `Bearer ${session}` } : { api_key: "special-key" }

/** Operations that an API key cannot call, regardless of its scopes. */
const usersOnly = ["listConsents", "endConsent"]

/** Without XML: tools generate its examples from the schema's annotations, and a written one would be a string that does not match the schema. */
const jsonAndForms = (content: Content = {}) =>
  Object.entries(content).flatMap(([type, described]) => (/[/+]xml$/.test(type) ? [] : [described]))

type Body = { type: string; example: unknown }

/** The example of the body in each of its media types; those without an own one have that of JSON. */
function bodiesOf({ requestBody: { content } = { content: {} } }: Operation): Body[] {
  const [first] = Object.values(content)
  return Object.entries(content).map(([type, { example }]) => ({ type, example: example ?? first?.example }))
}

function textOf({ operationId }: Operation, { type, example }: Body): string | FormData {
  if (typeof example === "string") return example
  if (isJsonType(type)) return JSON.stringify(example)
  if (type === ndjsonType) return (example as object[]).map((line) => JSON.stringify(line)).join("\n")
  const { body } = api[operationId as keyof typeof api] as Endpoint
  if (type === xmlType) return writeXml(body as TSchema, example)
  const fields = Object.entries(example as object).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, typeof one === "object" ? JSON.stringify(one) : `${one}`]),
  )
  if (type === urlencodedType) return `${new URLSearchParams(fields)}`
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, name === "file" ? new Blob([value]) : value)
  return form
}

const shown = ({ example, examples = {}, schema }: Example): unknown =>
  example ?? Object.values(examples)[0]?.value ?? (schema && shownBySchema(schema))

function shownBySchema(schema: object): unknown {
  const { examples, items } = resolve(schema) as { examples?: unknown[]; items?: object }
  return examples?.[0] ?? (items && [shownBySchema(items)])
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: "document", components: document.components })

function assertFits(value: unknown, schema: object): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  assert.ok(ajv.validate(absolute, value), ajv.errorsText())
}
