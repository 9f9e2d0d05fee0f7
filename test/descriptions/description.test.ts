import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { promisify } from "node:util"
import { api, classicOperations } from "../../src/core/domain/api.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { asVersion30 } from "../../src/parts/descriptions/openapi/version-30.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { usePetstore } from "../harness/use.ts"

const publicUrl = "https://pets.example/shop"
const petstore = usePetstore()
const elsewhere = usePetstore({ env: { PETSTORE_PUBLIC_URL: publicUrl } })

const root = join(import.meta.dirname, "..", "..")
const redocly = join(root, "node_modules", ".bin", "redocly")
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }

type Description = {
  info: { description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, { operationId: string }>>
  components: { securitySchemes: { oauth2: { flows: Record<string, Record<string, string | object>> } } }
}

const read = async (name: string, url: string = petstore.url) => {
  const response = await fetch(`${url}/api/v3/${name}`)
  assert.equal(response.status, 200)
  return { type: response.headers.get("content-type"), text: await response.text() }
}

for (const name of ["openapi.json", "openapi.classic.json"])
  test(`every address in ${name} is the one clients use`, async () => {
    const here: Description = JSON.parse((await read(name)).text)
    const pet = await fetch(`${here.servers[0]?.url}/pet/1`, { headers: { api_key: "special-key" } })
    assert.equal(pet.status, 200)

    const { servers, components }: Description = JSON.parse((await read(name, elsewhere.url)).text)
    assert.deepEqual(
      servers.map(({ url }) => url),
      [`${publicUrl}/api/v3`],
    )
    const { authorizationCode, clientCredentials } = components.securitySchemes.oauth2.flows
    const oauth = [authorizationCode?.authorizationUrl, authorizationCode?.refreshUrl, clientCredentials?.tokenUrl]
    assert.deepEqual(oauth, [`${publicUrl}/oauth/auth`, `${publicUrl}/oauth/token`, `${publicUrl}/oauth/token`])
  })

test("the description is under 200 KiB, that of the classic operations under 44 KiB", async () => {
  const bytesOf = async (name: string) => Buffer.byteLength((await read(name)).text)
  assert.ok((await bytesOf("openapi.json")) < 200 * 1024, `${await bytesOf("openapi.json")} bytes`)
  assert.ok((await bytesOf("openapi.classic.json")) < 44 * 1024, `${await bytesOf("openapi.classic.json")} bytes`)
})

test("the classic description has the operations of the public Petstore and no other", async () => {
  const { paths }: Description = JSON.parse((await read("openapi.classic.json")).text)
  const found = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
  assert.deepEqual(found.sort(), classicOperations.toSorted())
  assert.equal(found.length, 19)
})

test("the description lists the classic operations first in each tag, and every tag in one group", async () => {
  type Operation = { operationId: string; tags: [string] }
  type Item = Record<string, Operation>
  type Document = { paths: Record<string, Item>; webhooks: Record<string, Item>; tags: { name: string }[] }
  const document: Document & { "x-tagGroups": { name: string; tags: string[] }[] } = JSON.parse(
    (await read("openapi.json")).text,
  )
  const operationsOf = (items: Record<string, Item>) => Object.values(items).flatMap((item) => Object.values(item))
  const isClassic = (name: string) => (classicOperations as readonly string[]).includes(name)
  const paths = Object.values(document.paths).map((item) =>
    Object.values(item).map((each) => isClassic(each.operationId)),
  )
  for (const statuses of [paths.map((all) => all.some(Boolean)), ...paths])
    assert.deepEqual(
      statuses,
      statuses.toSorted((a, b) => Number(b) - Number(a)),
    )

  const [petstore, ...others] = document["x-tagGroups"]
  assert.deepEqual(petstore, { name: "Petstore", tags: ["pet", "store", "user"] })
  assert.deepEqual(
    others.map(({ name }) => name),
    ["Accounts and access", "Events"],
  )
  const grouped = document["x-tagGroups"].flatMap(({ tags }) => tags)
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    grouped,
  )
  const used = [...operationsOf(document.paths), ...operationsOf(document.webhooks)].flatMap(({ tags }) => tags)
  assert.deepEqual(new Set(used), new Set(grouped))
})

test("with webhooks=false, the description has every operation, and neither webhooks nor what only they use", async () => {
  type Whole = Description & { webhooks?: object; tags: { name: string }[] }
  const [whole, short]: Whole[] = await Promise.all(
    ["openapi.json", "openapi.json?webhooks=false"].map(async (name) => JSON.parse((await read(name)).text)),
  )
  assert.ok(whole?.webhooks)
  assert.ok(short)
  assert.equal(short.webhooks, undefined)
  assert.deepEqual(
    whole.tags.map(({ name }) => name).filter((name) => !short.tags.some((each) => each.name === name)),
    ["messages"],
  )
  const grouped = { tags: [], "x-tagGroups": [], webhooks: undefined }
  assert.deepEqual({ ...short, ...grouped }, { ...whole, ...grouped })
  assert.doesNotMatch((await read("openapi.yaml?webhooks=false")).text, /^webhooks:/m)
  assert.equal((await read("openapi.json?webhooks=true")).text, (await read("openapi.json")).text)

  for (const query of ["webhooks=no", "webhooks="]) {
    const response = await fetch(`${petstore.url}/api/v3/openapi.json?${query}`)
    const { errors } = (await response.json()) as { errors: { parameter: string }[] }
    assert.deepEqual([response.status, errors[0]?.parameter], [400, "webhooks"])
  }
})

test("the classic description is valid in OpenAPI 3.0.3, with one form in each operation (slow)", async () => {
  const { text } = await read("openapi.classic.json")
  using directory = temporaryDirectory()
  const source = join(directory.path, "openapi.classic.json")
  writeFileSync(source, text)
  await promisify(execFile)(redocly, ["lint", "--config=.config/redocly.yaml", source], { cwd: root, env })

  const document = JSON.parse(text)
  assert.equal(document.openapi, "3.0.3")
  const later = ["const", "contentMediaType", "webhooks", "identifier"]
  const found: string[] = []
  const check = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null || path.endsWith("/example")) return
    for (const [name, part] of Object.entries(value)) {
      if (later.includes(name) || (name === "type" && Array.isArray(part))) found.push(`${path}/${name}`)
      if (name === "examples" && Array.isArray(part)) found.push(`${path}/${name}`)
      check(part, `${path}/${name}`)
    }
  }
  check(document, "")
  assert.deepEqual(found, [])
  type Body = { requestBody?: { content: object } }
  const formsOf = ({ requestBody }: Body) =>
    Object.keys(requestBody?.content ?? {}).filter((type) => type.includes("form"))
  for (const item of Object.values<Record<string, Body>>(document.paths))
    for (const operation of Object.values(item)) assert.ok(formsOf(operation).length <= 1)
})

test("a schema of 3.1 has the same meaning in 3.0: null, constants, bounds and examples", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: ["string", "null"], examples: ["Rex", "Max"] },
      kind: { type: "string", const: "pet" },
      list: { type: "array", items: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9 } },
      either: { oneOf: [{ $ref: "#/components/schemas/A", description: "an A" }, { const: 1 }] },
    },
  }
  const info = { title: "t", version: "1", description: "d", summary: "s", license: { name: "n", identifier: "MIT" } }
  const components = { securitySchemes: { oauth2: {} }, schemas: { Thing: schema } }
  const converted = asVersion30({ openapi: "3.1.1", info, tags: [], components })
  assert.deepEqual(converted.components, {
    securitySchemes: { oauth2: {} },
    schemas: {
      Thing: {
        type: "object",
        properties: {
          name: { type: "string", nullable: true, example: "Rex" },
          kind: { type: "string", enum: ["pet"] },
          list: {
            type: "array",
            items: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
          },
          either: { oneOf: [{ $ref: "#/components/schemas/A" }, { enum: [1] }] },
        },
      },
    },
  })
})

test("openapi.yaml has the same content as openapi.json (slow)", async () => {
  using directory = temporaryDirectory()
  const [source, bundled] = [join(directory.path, "openapi.yaml"), join(directory.path, "bundled.json")]
  const { type, text } = await read("openapi.yaml")
  assert.equal(type, "application/yaml")
  writeFileSync(source, text)
  await promisify(execFile)(redocly, ["bundle", source, "--output", bundled], { cwd: directory.path, env })
  assert.deepEqual(JSON.parse(readFileSync(bundled, "utf8")), JSON.parse((await read("openapi.json")).text))
})

test("the description states the format of cursors, the statuses of any request, and which filters of pets combine", async () => {
  type Parameter = { name: string; description: string; schema: { format?: string } }
  type Operation = { description?: string; parameters?: (Parameter | { $ref: string })[] }
  const { paths, components } = JSON.parse((await read("openapi.json")).text) as {
    paths: Record<string, Record<string, Operation>>
    components: { parameters: Record<string, Parameter>; responses: Record<string, { description: string }> }
  }
  const parameterOf = (given: Parameter | { $ref: string }) =>
    "$ref" in given ? (components.parameters[given.$ref.split("/").at(-1) ?? ""] as Parameter) : given
  const cursors = Object.values(paths)
    .flatMap((item) => Object.values(item).flatMap(({ parameters = [] }) => parameters.map(parameterOf)))
    .filter(({ name }) => name === "cursor")
  assert.equal(cursors.length, Object.values<Endpoint>(api).filter(({ paged }) => paged).length)
  for (const { schema, description } of cursors) {
    assert.equal(schema.format, "base64url")
    assert.match(description, /base64url without padding/)
  }
  assert.match(components.responses.AnyRequest?.description ?? "", /431 `header-too-large`/)
  const { description = "" } = paths["/pet"]?.get ?? {}
  assert.match(description, /`status`, `category` and `tag` can be combined, and `status` with `name`/)
})
