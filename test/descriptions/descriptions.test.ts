import assert from "node:assert/strict"
import { test } from "node:test"
import { api } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath, pathParameters } from "../../src/core/kernel/network/path.ts"
import type { JsonSchema } from "../../src/core/kernel/schema/type.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const production = usePetstore({
  env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://pets.example/shop" },
})
const withContact = usePetstore({
  env: {
    PETSTORE_PROFILE: "production",
    PETSTORE_PUBLIC_URL: "https://pets.example",
    PETSTORE_SECURITY_CONTACT: "https://pets.example/report",
  },
})

const get = (path: string, url: string = petstore.url) => fetch(url + path, { redirect: "manual" })
const text = async (path: string, url?: string) => (await get(path, url)).text()
const json = async (path: string, url?: string) => JSON.parse(await text(path, url))

type Link = { href: string; type: string; title: string }
type Entry = { anchor: string; "service-desc": Link[] }
const catalogOf = async (url?: string): Promise<Entry[]> => (await json("/.well-known/api-catalog", url)).linkset

test("the API catalog lists every description, and each is served with the type that the catalog names (slow)", async () => {
  const response = await get("/.well-known/api-catalog")
  assert.equal(
    response.headers.get("content-type"),
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  )
  const links = (await catalogOf()).flatMap((entry) => entry["service-desc"])
  const versions = (name: string, others: string[]) => [name, ...others.map((version) => `${name}?version=${version}`)]
  assert.deepEqual(
    links.map(({ href }) => href.slice(petstore.url.length)),
    [
      ...["openapi.json", "openapi.yaml"].flatMap((name) => versions(name, ["3.0", "3.2"])),
      ...versions("openapi.classic.json", ["3.1", "3.2"]),
      ...["asyncapi.json", "arazzo.json", "postman.json", "requests.http"],
    ]
      .map((name) => `/api/v3/${name}`)
      .concat("/v2/swagger.json", "/v2/swagger.yaml"),
  )
  for (const { href, type } of links) {
    const described = await fetch(href)
    assert.deepEqual([described.status, described.headers.get("content-type")], [200, type], href)
  }
  const [page, llms, robots] = await Promise.all(
    ["/docs/descriptions", "/llms.txt", "/robots.txt"].map((path) => text(path)),
  )
  for (const { href, title } of links) {
    assert.ok(page?.includes(`href="..${href.slice(petstore.url.length)}"`), href)
    assert.ok(llms?.includes(`[${title}](${href})`), href)
    assert.ok(robots?.includes(`Allow: ${new URL(href).pathname}\n`), href)
  }
})

test("HEAD of the API catalog names it in a Link", async () => {
  const response = await fetch(`${petstore.url}/.well-known/api-catalog`, { method: "HEAD" })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get("link"), `<${petstore.url}/.well-known/api-catalog>; rel="api-catalog"`)
})

for (const [path, target] of [
  ["/openapi.json?version=3.0", "./api/v3/openapi.json?version=3.0"],
  ["/openapi.yaml", "./api/v3/openapi.yaml"],
  ["/swagger.json", "./v2/swagger.json"],
] as const)
  test(`${path} redirects to ${target}`, async () => {
    const response = await get(path)
    assert.deepEqual([response.status, response.headers.get("location")], [308, target])
  })

test("without v2, swagger.json redirects to the classic operations, and the catalog has no v2", async () => {
  const response = await get("/swagger.json", production.url)
  assert.equal(response.headers.get("location"), "./api/v3/openapi.classic.json")
  assert.deepEqual(
    (await catalogOf(production.url)).map(({ anchor }) => anchor),
    ["https://pets.example/shop/api/v3"],
  )
  assert.match(await text("/robots.txt", production.url), /^Disallow: \/shop\/console$/m)
})

test("security.txt has a contact and expires within a year; without a contact it does not exist", async () => {
  assert.equal((await get("/.well-known/security.txt", production.url)).status, 404)
  const found = await text("/.well-known/security.txt", withContact.url)
  assert.match(found, /^Contact: https:\/\/pets\.example\/report$/m)
  const expires = Date.parse(/^Expires: (.*)$/m.exec(found)?.[1] as string)
  assert.ok(expires > withContact.clock.now() && expires < withContact.clock.now() + 365 * 86_400_000)
})

test("a description in production has no credential of the sandbox", async () => {
  for (const name of ["openapi.json", "asyncapi.json", "arazzo.json", "postman.json", "requests.http"])
    assert.doesNotMatch(await text(`${basePath}/${name}`, production.url), /special-key|"default":"password1"/, name)
  assert.match(
    await text(`${basePath}/requests.http`, production.url),
    /^@url = https:\/\/pets\.example\/shop\/api\/v3$/m,
  )
})

test("a named sandbox has all descriptions with its own addresses, also of its authorization server", async () => {
  const mounted = `${petstore.url}/s/described`
  await fetch(`${mounted}/api/v3/pet/1`, { headers: { api_key: "special-key" } })
  for (const name of ["openapi.json", "openapi.json?version=3.2", "asyncapi.json", "arazzo.json", "postman.json"]) {
    const found = await text(`/s/described/api/v3/${name}`)
    assert.ok(found.includes("/s/described/api/v3"), name)
    const addresses = found.match(/https?:\/\/127\.0\.0\.1:\d+[^"]*/g) ?? []
    const foreign = addresses.filter((each) => !each.startsWith(mounted))
    const metadata = `${petstore.url}/.well-known/oauth-authorization-server/s/described/oauth`
    assert.deepEqual(new Set(foreign), new Set(name.includes("3.2") ? [metadata] : []), name)
  }
})

test("a version of OpenAPI that does not exist, and webhooks in 3.0, are refused with the parameter's name", async () => {
  for (const [query, parameter] of [
    ["version=2.0", "version"],
    ["version=", "version"],
    ["version=3.0&webhooks=true", "webhooks"],
  ] as const) {
    const response = await get(`${basePath}/openapi.json?${query}`)
    const { errors } = (await response.json()) as { errors: { parameter: string }[] }
    assert.deepEqual([response.status, errors[0]?.parameter], [400, parameter], query)
  }
})

type Operation = {
  operationId: string
  parameters?: { name?: string; in?: string; $ref?: string }[]
  responses: Record<string, { $ref?: string; content?: Record<string, Record<string, unknown>>; links?: Links }>
}
type Links = Record<string, { operationId: string; parameters?: Record<string, string> }>
type Openapi = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; parent?: string; kind?: string }[]
  components: { schemas: Record<string, object>; responses: Record<string, Operation["responses"][string]> }
}
const operationsOf = ({ paths }: Openapi) => Object.values(paths).flatMap((item) => Object.values(item))

test("all versions of OpenAPI have the same operations", async () => {
  const idsOf = async (query: string) =>
    operationsOf(await json(`${basePath}/openapi.json?${query}`)).map(({ operationId }) => operationId)
  const expected = await idsOf("version=3.1")
  assert.equal(expected.length, Object.keys(api).length)
  for (const query of ["", "version=3.0", "version=3.2", "version=3.2&webhooks=false"])
    assert.deepEqual(await idsOf(query), expected, query)
  const classic = (query: string) => json(`${basePath}/openapi.classic.json?${query}`)
  const versions = await Promise.all(["", "version=3.0", "version=3.1", "version=3.2"].map(classic))
  assert.deepEqual(
    versions.map(({ openapi }) => openapi),
    ["3.0.3", "3.0.3", "3.1.1", "3.2.0"],
  )
})

test("tags of OpenAPI 3.2 have parents, nothing in it is deprecated, and every version describes the messages of a stream", async () => {
  for (const [version, keyword] of [
    ["3.0", "schema"],
    ["3.1", "schema"],
    ["3.2", "itemSchema"],
  ] as const) {
    const { components }: Openapi = await json(`${basePath}/openapi.json?version=${version}`)
    const media = components.responses.StreamEvents?.content?.["text/event-stream"] ?? {}
    assert.deepEqual(
      Object.keys(media).filter((name) => name !== "example"),
      [keyword],
    )
    const { properties } = media[keyword] as { properties: { data: object } }
    const inJson = {
      contentMediaType: "application/json",
      contentSchema: { $ref: "#/components/schemas/EventMessage" },
    }
    assert.deepEqual(properties.data, { type: "string", ...(version !== "3.0" && inJson) })
    assert.equal("EventMessage" in components.schemas, version !== "3.0", "only schemas that something refers to")
  }
  const document: Openapi = await json(`${basePath}/openapi.json?version=3.2`)
  const groups = document.tags.filter(({ kind }) => kind === "nav").map(({ name }) => name)
  assert.deepEqual(groups, ["Petstore", "Accounts and access", "Events"])
  for (const { kind, parent } of document.tags) assert.ok(kind === "nav" || groups.includes(parent as string))
  assert.doesNotMatch(JSON.stringify(document), /"x-tagGroups"|"wrapped"/)
})

test("AsyncAPI has every kind of event on both channels, with the schemas of OpenAPI", async () => {
  const asyncapi = await json(`${basePath}/asyncapi.json`)
  const openapi: Openapi & { webhooks: object } = await json(`${basePath}/openapi.json`)
  for (const channel of ["webhook", "stream"])
    assert.deepEqual(Object.keys(asyncapi.channels[channel].messages), Object.keys(openapi.webhooks))
  const inJson = (value: object) =>
    JSON.parse(JSON.stringify(value, (key, part) => (["xml", "examples"].includes(key) ? undefined : part)))
  for (const [name, schema] of Object.entries<object>(asyncapi.components.schemas))
    assert.deepEqual(schema, inJson(openapi.components.schemas[name] as object), name)
})

type Step = {
  operationId: keyof typeof api
  parameters?: { name: string; in: string }[]
  requestBody?: { payload: object }
}

test("each step of the journeys names parameters and members of its operation", async () => {
  const { workflows } = (await json(`${basePath}/arazzo.json`)) as { workflows: { steps: Step[] }[] }
  assert.equal(workflows.length, 5)
  for (const { operationId, parameters = [], requestBody } of workflows.flatMap(({ steps }) => steps)) {
    const endpoint: Endpoint = api[operationId]
    const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name)
    assert.deepEqual(named("path"), pathParameters(endpoint.path), operationId)
    const known = Object.keys({ ...endpoint.query?.properties, ...(endpoint.paged && { limit: 0 }) })
    assert.deepEqual(
      named("query").filter((name) => !known.includes(name)),
      [],
      operationId,
    )
    const { properties } = (endpoint.body ?? {}) as JsonSchema
    if (requestBody && properties)
      for (const member of Object.keys(requestBody.payload)) assert.ok(member in properties, `${operationId} ${member}`)
  }
})

test("the collection has every operation, and the HTTP file those that need no file, session or stream", async () => {
  type Item = { name: string; item?: Item[]; request?: { description: string } }
  const { item } = (await json(`${basePath}/postman.json`)) as { item: Item[] }
  const leaves = (items: Item[]): Item[] => items.flatMap((each) => (each.item ? leaves(each.item) : [each]))
  const inCollection = leaves(item).map(({ request }) => /Operation `(\w+)`/.exec(request?.description ?? "")?.[1])
  const inFile = [...(await text(`${basePath}/requests.http`)).matchAll(/^# @name (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(inCollection.toSorted(), Object.keys(api).toSorted())
  assert.deepEqual(
    inCollection.filter((name) => !inFile.includes(name)),
    ["uploadFile", "deletePetImage", "listConsents", "endConsent", "streamEvents"],
  )
})

test("each link of a creation leads to an operation that finds what was created", async () => {
  const document: Openapi = await json(`${basePath}/openapi.json`)
  const byId = new Map(operationsOf(document).map((operation) => [operation.operationId, operation]))
  const successOf = (name: string) => {
    const [response] = Object.values((byId.get(name) as Operation).responses)
    return response?.$ref ? document.components.responses[response.$ref.split("/").at(-1) as string] : response
  }
  const bodies: Record<string, object> = {
    addPet: { name: "Linked", photoUrls: [] },
    createWebhook: { url: "http://127.0.0.1:9/" },
    createUser: { username: "linked", password: "12345678" },
    createKey: { name: "linked", scopes: ["read:pets"] },
    createAccount: { name: "linked", plan: "free" },
    createOAuthClient: {
      name: "linked",
      type: "confidential",
      redirectUris: ["https://app.example/"],
      scopes: ["read:pets"],
    },
    placeOrder: { petId: 7 },
  }
  const creations = operationsOf(document)
    .map(({ operationId }) => [operationId, successOf(operationId)?.links] as const)
    .filter((pair): pair is [string, Links] => pair[1] !== undefined)
  assert.deepEqual(creations.map(([name]) => name).toSorted(), Object.keys(bodies).toSorted())
  const send = (name: string, path: string, body?: object) =>
    fetch(`${petstore.url}${basePath}${path}`, {
      method: (api[name as keyof typeof api] as Endpoint).method,
      headers: { api_key: "special-key", "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
  for (const [name, links] of creations) {
    const created = (await (await send(name, api[name as keyof typeof api].path, bodies[name])).json()) as Record<
      string,
      unknown
    >
    const read = Object.values(links).filter(
      ({ operationId, parameters }) =>
        parameters && (api[operationId as keyof typeof api] as Endpoint).method === "GET",
    )
    assert.ok(read.length > 0, name)
    for (const { operationId, parameters = {} } of read) {
      const values = Object.entries(parameters).map(([parameter, expression]) => [
        parameter,
        created[expression.slice("$response.body#/".length)],
      ])
      const response = await send(
        operationId,
        filledPath(api[operationId as keyof typeof api].path, Object.fromEntries(values)),
      )
      assert.equal(response.status, 200, `${name} → ${operationId}`)
    }
  }
})
