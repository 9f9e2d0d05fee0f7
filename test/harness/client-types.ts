import type { ProblemCode } from "../../src/core/domain/problems/problems.ts"
import type { Scope } from "../../src/core/domain/scopes.ts"
import { type Endpoint, queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { type JsonSchema, Type } from "../../src/core/kernel/schema/type.ts"
import { descriptionOf } from "../../src/parts/descriptions/openapi/operation.ts"

type Operation = Endpoint<Scope, ProblemCode>

/** Tags whose operations are in the file of another one. */
const files: Record<string, string> = { events: "webhooks", account: "access", keys: "access", audit: "access" }

/** Exported by the package. */
const published = ["Pet", "NewPet", "Order", "NewOrder", "User", "Webhook", "Event"]

/** The types of the client's methods, by file: one interface for the operations of each, and the schemas that they use. */
export function clientTypes(api: Record<string, Operation>): Record<string, string> {
  const operations = Object.entries(api).filter(([, { streams }]) => !streams)
  const byFile = Map.groupBy(operations, ([, { tag }]) => files[tag] ?? tag)
  const users = new Map<string, Set<string>>()
  const written = [...byFile].map(([file, some]) => {
    const schemas = new Map<string, JsonSchema>()
    const methods = some.map(([name, endpoint]) => methodOf(name, endpoint, schemas))
    for (const [name] of schemas) users.set(name, (users.get(name) ?? new Set()).add(file))
    return { file, schemas, methods }
  })
  return Object.fromEntries(
    written.map(({ file, schemas, methods }) => [
      `src/client/operations/${file}.ts`,
      fileOf(file, methods, schemas, users),
    ]),
  )
}

function fileOf(
  file: string,
  methods: readonly string[],
  schemas: ReadonlyMap<string, JsonSchema>,
  users: ReadonlyMap<string, ReadonlySet<string>>,
): string {
  const homeOf = (name: string) => [...(users.get(name) ?? [])][0] as string
  const imported = Map.groupBy([...schemas.keys()].filter((name) => homeOf(name) !== file).sort(), homeOf)
  const isExported = (name: string) => published.includes(name) || (users.get(name)?.size ?? 0) > 1
  const own = [...schemas].filter(([name]) => homeOf(name) === file)
  const imports = [...imported].map(([home, names]) => `import type { ${names.join(", ")} } from "./${home}.ts"\n`)
  return `// Generated from the contract; npm run golden writes it again.

import type { ${usedIn(methods).join(", ")} } from "../client.ts"
${imports.join("")}
export interface ${upperFirst(file)}Operations {
${methods.join("\n")}}

${own.map(([name, schema]) => `${isExported(name) ? "export " : ""}type ${name} = ${typeOf(schema, new Map(), true)}\n`).join("\n")}`
}

const usedIn = (methods: readonly string[]): string[] =>
  ["CallOptions", "ClientResponse", "FileOrForm", "Idempotent"].filter((name) =>
    methods.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
  )

function methodOf(name: string, endpoint: Operation, schemas: Map<string, JsonSchema>): string {
  const { summary, deprecated, params, body, upload, idempotent, response } = endpoint
  const query = queryOf(endpoint) as JsonSchema
  const members = [
    ...(params ? [`params: ${typeOf(params as JsonSchema, schemas)}`] : []),
    ...(Object.keys(query.properties ?? {}).length > 0 ? [`query?: ${typeOf(partial(query), schemas)}`] : []),
    ...(body ? [`body${Type.IsOptional(body) ? "?" : ""}: ${typeOf(body as JsonSchema, schemas)}`] : []),
    ...(upload ? ["upload: FileOrForm"] : []),
  ]
  const isOptional = members.every((member) => /^\w+\?:/.test(member))
  const input =
    members.length > 0
      ? `input${isOptional ? "?" : ""}: { ${members.join("; ")} }${idempotent ? " & Idempotent" : ""}`
      : "input?: Record<never, never>"
  const lines = [`${summary}. ${descriptionOf(endpoint)}`, ...(deprecated ? ["@deprecated"] : [])]
  return `  /**\n${lines
    .flatMap((line) => wrap(line))
    .map((line) => `   * ${line}\n`)
    .join("")}   */
  ${name}(${input}, options?: CallOptions): Promise<ClientResponse<${typeOf(response as JsonSchema, schemas)}>>
`
}

const partial = ({ properties = {} }: JsonSchema): JsonSchema => ({ type: "object", properties })

/** A schema as a type; a named one by its name, which is noted in `schemas`, unless it is the `whole` of that name. */
function typeOf(schema: JsonSchema & { title?: string }, schemas: Map<string, JsonSchema>, isWhole = false): string {
  const { title, type, enum: words, anyOf, oneOf, items, properties } = schema
  if (title && !isWhole) {
    const name = nameOf(title)
    if (!schemas.has(name)) {
      schemas.set(name, schema)
      typeOf(schema, schemas, true)
    }
    return name
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (words) return words.map((word) => JSON.stringify(word)).join(" | ")
  const choices = anyOf ?? oneOf
  if (choices) return choices.map((choice) => typeOf(choice, schemas)).join(" | ")
  if (Array.isArray(type))
    return type.map((one) => (one === "null" ? one : typeOf({ ...schema, type: one }, schemas, true))).join(" | ")
  if (type === "array") return arrayOf(typeOf(items ?? {}, schemas))
  if (properties) return objectOf(schema, schemas, isWhole)
  return simple[String(type)] ?? "unknown"
}

const simple: Record<string, string> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
  object: "Record<string, unknown>",
}

const arrayOf = (item: string): string => (/^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`)

function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  schemas: Map<string, JsonSchema>,
  isWhole: boolean,
): string {
  const members = Object.entries(properties).map(
    ([name, property]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(property, schemas)}`,
  )
  if (members.length === 0) return "object"
  const line = `{ ${members.join("; ")} }`
  return isWhole ? `{\n${members.map((member) => `  ${member}\n`).join("")}}` : line
}

/** What a client sends to create something is called after it. */
const nameOf = (title: string): string => title.replace(/^(\w+)Draft$/, "New$1")

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const lineMax = 110

function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < lineMax) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
