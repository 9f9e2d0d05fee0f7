import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import { openapi } from "../src/api/openapi/document.ts"
import { problemExample } from "../src/api/openapi/problem-example.ts"
import { ownProblemsOf, problemsOf } from "../src/api/openapi/problem-responses.ts"
import { readEventStream } from "../src/client/receiving/event-stream.ts"
import { api } from "../src/domain/api.ts"
import { type ProblemCode, problems } from "../src/domain/problems/problems.ts"
import type { Scope } from "../src/domain/scopes.ts"
import type { Endpoint } from "../src/kernel/endpoint/endpoint.ts"
import {
  eventStreamType,
  formTypes,
  isJsonType,
  multipartType,
  urlencodedType,
} from "../src/kernel/network/media-types.ts"
import { basePath, filledPath } from "../src/kernel/network/path.ts"
import { makeImage } from "./harness/images.ts"
import { before, usePetstore } from "./harness/use.ts"

type Example = { example?: unknown; examples?: Record<string, { value?: unknown }>; schema?: object }
type Content = Record<string, Example>
type Parameter = Example & { name: string; in: "path" | "query" | "header"; required?: boolean }
type Operation = {
  operationId: string
  description: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, DescribedResponse>
}
type DescribedResponse = { description: string; content?: Content }

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
  const grant = { kind: "Grant", hash: "h", uid: undefined, grantId: "g", clientId: "petstore-docs", userId: 2 }
  const rest = { scope: "", json: '{"iat":1767225600}', expiresAt: petstore.clock.now() + 1000, consumedAt: undefined }
  await petstore.store.transaction((tx) => tx.oauthRecords.put({ ...grant, ...rest }))
  const { value } = await store.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  await store.testWebhook({ params: { webhookId: value.id } })
})

test("every parameter, body and response of the description has an example", () => {
  const bare: string[] = []
  const check = (where: string, described: Example) => {
    if (shown(described) === undefined) bare.push(where)
  }
  for (const operation of [...operations.map((each) => each.operation), ...webhooks]) {
    const { operationId, parameters = [], requestBody, responses } = operation
    for (const parameter of parameters) check(`${operationId} ${parameter.name}`, parameter)
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
      const { description } = responses[problems[code].status] ?? (responses.default as DescribedResponse)
      assert.ok(codesIn(description).includes(code), `${operation.operationId} ${code}`)
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

for (const { path, method, operation } of operations.toSorted((a, b) => orderOf(a) - orderOf(b)))
  test(`${operation.operationId}: the example request gets the described response`, async () => {
    const { parameters = [], requestBody, responses } = operation
    const pairsIn = (place: string) =>
      parameters.filter((one) => one.in === place && (one.required || place === "query")).map(pairOf)
    const place = { ...Object.fromEntries(pairsIn("path")), ...(isPredefined(path) && { id: 4 }) }
    const requests = (exclusive[operation.operationId] ?? [[]]).flatMap((omitted) =>
      bodiesOf(requestBody?.content).map((body) => ({ omitted, body })),
    )
    for (const [index, { omitted, body }] of requests.entries()) {
      // An order is approved once; placeOrder has placed another one.
      const another = operation.operationId === "patchOrder" && index > 0 ? { orderId: 4 } : {}
      const address = `${petstore.url}${basePath}${filledPath(path, { ...place, ...another })}`
      const sent = pairsIn("query").filter(([name]) => !omitted.includes(name))
      const query = new URLSearchParams(
        sent.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, `${one}`])),
      )
      const response = await fetch(`${address}?${query}`, {
        method: method.toUpperCase(),
        headers: { ...credentialFor(operation), ...(body && isJsonType(body.type) && { "content-type": body.type }) },
        ...(body && { body: await written(body) }),
      })
      const [status, success] = Object.entries(responses)[0] as [string, { content: Content }]
      const [contentType, { schema }] = Object.entries(success.content)[0] as [string, { schema: object }]
      const text = await (contentType === eventStreamType ? firstOf(response) : response.text())
      assert.equal(String(response.status), status, text)
      assertFits(JSON.parse(text), schema)
    }
  })

/** The first three keys and accounts belong to the sandbox and must not be changed. */
const isPredefined = (path: string): boolean => /^\/(keys|accounts)\//.test(path)

/** The data of the first event of a stream, which this function causes. */
async function firstOf(response: Response): Promise<string> {
  await petstore.as("special-key").addPet({ body: { name: "Streamed", photoUrls: [] } })
  for await (const { data } of readEventStream(response.body as AsyncIterable<Uint8Array>))
    if (data !== undefined) return data
  return ""
}

/** Mutually exclusive parameters: each request omits some of them, and each parameter is in one request. */
const listedPets = [
  ["tag", "name"],
  ["category", "name"],
  ["category", "tag", "sort", "cursor"],
]
const exclusive: Record<string, string[][]> = {
  listAudit: [
    ["principal", "action", "thing"],
    ["account", "action", "thing"],
    ["account", "principal", "thing"],
    ["account", "principal", "action"],
  ],
  listPets: listedPets,
  listPetRecords: listedPets,
}

const credentialFor = ({ operationId }: Operation): Record<string, string> =>
  usersOnly.includes(operationId) ? { authorization: `Bearer ${session}` } : { api_key: "special-key" }

/** Operations that an API key cannot call, regardless of its scopes. */
const usersOnly = ["listConsents", "endConsent"]

/** Without XML: tools generate its examples from the schema's annotations, and a written one would be a string that does not match the schema. */
const jsonAndForms = (content: Content = {}) =>
  Object.entries(content).flatMap(([type, described]) => (/[/+]xml$/.test(type) ? [] : [described]))

type Body = { type: string; example: unknown }

/** The examples of the bodies that fetch can send: each one in JSON or in a form. */
function bodiesOf(content: Content | undefined): (Body | undefined)[] {
  if (content === undefined) return [undefined]
  return Object.entries(content)
    .filter(([type]) => isJsonType(type) || formTypes.includes(type))
    .flatMap(([type, { example }]) => (example === undefined ? [] : [{ type, example }]))
}

async function written({ type, example }: Body): Promise<string | FormData | URLSearchParams> {
  if (type === urlencodedType) return new URLSearchParams(example as Record<string, string>)
  return type === multipartType ? formOf(example as object) : JSON.stringify(example)
}

/** A form with the example's fields and a real file, if it has one. */
async function formOf({ file, ...fields }: { file?: string }): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, String(value))
  if (file !== undefined) data.set("file", new Blob([new Uint8Array(await makeImage("png"))]), "photo.png")
  return data
}

const pairOf = (parameter: Parameter): [string, unknown] => [parameter.name, shown(parameter)]

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
