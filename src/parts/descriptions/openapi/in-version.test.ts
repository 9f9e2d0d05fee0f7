import assert from "node:assert/strict"
import { test } from "node:test"
import { inVersion } from "./in-version.ts"

const document = {
  openapi: "3.1.1",
  info: {
    title: "a",
    version: "1",
    description: "b",
    summary: "c",
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  tags: [
    { name: "pet", description: "Pets" },
    { name: "store", description: "Orders" },
  ],
  "x-tagGroups": [{ name: "Petstore", tags: ["pet"] }],
  components: { securitySchemes: { oauth2: { type: "oauth2" } } },
}

/** What a part of a document becomes in this version. */
const partIn = (version: string, part: unknown) => {
  const { part: converted } = inVersion(version, { ...document, part } as typeof document, "https://a.example") as {
    part: unknown
  }
  return converted
}

const schemaIn30 = (schema: object) => (partIn("3.0", { schema }) as { schema: object }).schema

test("a document of 3.0 names the address of its license and has no summary, one of 3.2 has groups of tags", () => {
  const { info, tags, components, "x-tagGroups": groups } = document
  const { summary: _, license, ...others } = info
  assert.deepEqual(inVersion("3.1", document, ""), document)
  assert.deepEqual(inVersion("3.0", document, ""), {
    openapi: "3.0.3",
    info: { ...others, license: { name: license.name, url: "https://spdx.org/licenses/Apache-2.0.html" } },
    tags,
    "x-tagGroups": groups,
    components,
  })
  const oauth2MetadataUrl = "https://a.example/.well-known/oauth-authorization-server/oauth"
  assert.deepEqual(inVersion("3.2", document, "https://a.example"), {
    openapi: "3.2.0",
    info,
    tags: [
      { name: "Petstore", description: "Groups pet", kind: "nav" },
      { name: "pet", description: "Pets", parent: "Petstore" },
      { name: "store", description: "Orders", parent: undefined },
    ],
    components: { securitySchemes: { oauth2: { type: "oauth2", oauth2MetadataUrl } } },
  })
})

test("the keywords of a schema are those of 3.0, at every depth", () => {
  const nullable = { type: ["string", "null"] }
  const inIts = { type: "string", nullable: true }
  for (const [schema, converted] of [
    [{ $ref: "#/a", description: "b" }, { $ref: "#/a" }],
    [nullable, inIts],
    [{ const: "a" }, { enum: ["a"] }],
    [
      { type: "string", examples: ["a", "b"], contentMediaType: "text/plain" },
      { type: "string", example: "a" },
    ],
    [{ exclusiveMinimum: 1 }, { minimum: 1, exclusiveMinimum: true }],
    [{ exclusiveMaximum: 1 }, { maximum: 1, exclusiveMaximum: true }],
    [{ properties: { a: nullable } }, { properties: { a: inIts } }],
    [{ items: nullable }, { items: inIts }],
    [{ oneOf: [nullable] }, { oneOf: [inIts] }],
    [{ anyOf: [nullable] }, { anyOf: [inIts] }],
    [{ allOf: [nullable] }, { allOf: [inIts] }],
  ])
    assert.deepEqual(schemaIn30(schema as object), converted)
  assert.deepEqual(partIn("3.0", [{ schemas: { A: nullable } }, null]), [{ schemas: { A: inIts } }, null])
})

test("examples stay as they are", () => {
  const schema = { type: ["string", "null"] }
  for (const part of [
    { example: { schema, xml: { wrapped: true } } },
    { examples: { schema, xml: { wrapped: true } } },
  ])
    for (const version of ["3.0", "3.2"]) assert.deepEqual(partIn(version, part), part)
})

test("a stream of 3.2 describes each of its messages, and a wrapped list is an element", () => {
  const stream = { "text/event-stream": { schema: { type: "object" }, example: "a", "x-more": 1 } }
  assert.deepEqual(partIn("3.2", { content: stream }), {
    content: { "text/event-stream": { "x-more": 1, itemSchema: { type: "object" } } },
  })
  const list = (xml: object) => partIn("3.2", { items: [{ xml }] })
  assert.deepEqual(list({ wrapped: true, name: "a" }), { items: [{ xml: { nodeType: "element", name: "a" } }] })
  assert.deepEqual(list({ wrapped: false, name: "a" }), { items: [{ xml: { name: "a" } }] })
})
