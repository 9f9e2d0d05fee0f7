import assert from "node:assert/strict"
import { test } from "node:test"
import { Ajv2020 } from "ajv/dist/2020.js"
import { api } from "../src/domain/api.ts"
import { type ProblemCode, problems } from "../src/domain/problems.ts"
import { openapi } from "../src/http/openapi/document.ts"
import { problemsOf } from "../src/http/openapi/problem-answers.ts"
import { basePath, filledPath } from "../src/kernel/path.ts"
import { makeImage } from "./harness/images.ts"
import { before, usePetstore } from "./harness/use.ts"

type Example = { example?: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> }
type Content = Record<string, Example & { schema: object }>
type Parameter = Example & { name: string; in: "path" | "query" | "header"; required: boolean }
type Operation = {
  operationId: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, Answer>
}
type Answer = { content?: Content; $ref?: string }

const document = openapi(api, "0.0.0")
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({ path, method, operation })),
)
const webhooks = Object.values(document.webhooks).map(({ post }) => post as unknown as Operation)

const petstore = usePetstore()
/** The token of a person who has allowed the reference something. */
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
  const look = (where: string, illustrated: Example) => {
    if (shown(illustrated) === undefined && !illustrated.examples) bare.push(where)
  }
  for (const operation of [...operations.map((each) => each.operation), ...webhooks]) {
    const { operationId, parameters = [], requestBody, responses } = operation
    for (const parameter of parameters) look(`${operationId} ${parameter.name}`, parameter)
    for (const body of Object.values(requestBody?.content ?? {})) look(`${operationId} body`, body)
    for (const [status, answers] of Object.entries(responses))
      for (const answer of Object.values(contentOf(answers))) look(`${operationId} ${status}`, answer)
  }
  assert.deepEqual(bare, [])
})

test("every problem an operation may respond with is described, with an example", () => {
  for (const { operation } of operations) {
    const described = Object.values(operation.responses).flatMap((answers) =>
      Object.values(contentOf(answers)["application/problem+json"]?.examples ?? {}),
    )
    const expected = problemsOf(api[operation.operationId as keyof typeof api])
    assert.deepEqual(
      described.map(({ $ref }) => $ref).sort(),
      expected.map((code) => `#/components/examples/${code}`).sort(),
    )
  }
  for (const [code, { value }] of Object.entries(document.components.examples))
    assert.deepEqual([value.code, value.status], [code, problems[code as ProblemCode].status])
})

test("every tag in use is described", () => {
  const described = new Set<string>(document.tags.map(({ name }) => name))
  for (const { tags } of [...operations.map((each) => each.operation), ...webhooks])
    for (const tag of tags) assert.ok(described.has(tag), tag)
})

/** Adding first, then looking, changing, and deleting last, parts before wholes, so that each finds what it is about. */
const turn = ({ method, path }: { method: string; path: string }): number => {
  if (method === "post" && !path.includes("{")) return 0
  const depth = method === "delete" ? path.split("/").length / 100 : 0
  return ["get", "put", "patch", "post", "delete"].indexOf(method) + 1 - depth
}

for (const { path, method, operation } of operations.toSorted((a, b) => turn(a) - turn(b)))
  test(`${operation.operationId}: what the description shows is what happens`, async () => {
    const { parameters = [], requestBody, responses } = operation
    const given = (place: string) =>
      parameters.filter((one) => one.in === place && (one.required || place === "query")).map(pairOf)
    const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
    const address = `${petstore.url}${basePath}${filledPath(path, Object.fromEntries(given("path")))}`
    for (const absent of notTogether[operation.operationId] ?? [[]]) {
      const sent = given("query").filter(([name]) => !absent.includes(name))
      const query = new URLSearchParams(
        sent.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, `${one}`])),
      )
      const response = await fetch(`${address}?${query}`, {
        method: method.toUpperCase(),
        headers: { ...credentialFor(operation), ...(type !== undefined && type !== form && { "content-type": type }) },
        ...(body && { body: type === form ? await formOf(shown(body) as object) : JSON.stringify(shown(body)) }),
      })
      const answer = await response.text()
      const [status, success] = Object.entries(responses)[0] as [string, { content: Content }]
      assert.equal(String(response.status), status, answer)
      assertFits(JSON.parse(answer), success.content["application/json"]?.schema as object)
    }
  })

/** Parameters that exclude one another: what to leave out, in one request after the other, so that each is in one of them. */
const notTogether: Record<string, string[][]> = {
  listPets: [
    ["tag", "name"],
    ["category", "name"],
    ["category", "tag", "sort", "cursor"],
  ],
}

const credentialFor = ({ operationId }: Operation): Record<string, string> =>
  forPeople.includes(operationId) ? { authorization: `Bearer ${session}` } : { api_key: "special-key" }

/** What an API key cannot do, whatever its scopes. */
const forPeople = ["listConsents", "endConsent"]

const contentOf = ({ content, $ref }: Answer): Content =>
  content ?? (document.components.responses[$ref?.split("/").at(-1) as string] as Answer | undefined)?.content ?? {}
const form = "multipart/form-data"

/** A form as the example shows it, with a real file in the place of the example's words. */
async function formOf({ file: _, ...fields }: { file?: string }): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, String(value))
  data.set("file", new Blob([new Uint8Array(await makeImage("png"))]), "photo.png")
  return data
}

const pairOf = (parameter: Parameter): [string, unknown] => [parameter.name, shown(parameter)]

const shown = ({ example, examples = {} }: Example): unknown => example ?? Object.values(examples)[0]?.value

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: "document", components: document.components })

function assertFits(value: unknown, schema: object): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  assert.ok(ajv.validate(absolute, value), ajv.errorsText())
}
