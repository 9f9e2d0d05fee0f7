import { findNearest } from "../../kernel/did-you-mean.ts"
import { type Endpoint, queryOf, takesJson } from "../../kernel/endpoint/endpoint.ts"
import { pathParameters } from "../../kernel/network/path.ts"
import { type JsonSchema, Type } from "../../kernel/schema/type.ts"

type Values = Record<string, unknown>

/** The request of a tool call, or what is wrong with its arguments. */
type Outcome = { request: object } | { refusals: readonly string[] }

/**
 * Converts the arguments of a tool call to a request. Models and their hosts often send an object or a list as its JSON text, and the
 * members of the body beside the parameters instead of within `body`; both are read. Unknown arguments are refused.
 */
export function toRequest(endpoint: Endpoint, values: Values): Outcome {
  const [path, query] = [endpoint.params ?? {}, queryOf(endpoint)] as [JsonSchema, JsonSchema]
  const body = takesJson(endpoint) ? (endpoint.body as JsonSchema) : undefined
  const members = Object.entries(values).filter(([name]) => !isIn(path, name) && !isIn(query, name) && name !== "body")
  const [flat, unknown] = divide(members, ([name]) => body !== undefined && isIn(body, name))
  const hasBody = body !== undefined && values.body !== undefined
  const refusals = [
    ...unknown.map(([name]) => unknownArgument(name, namesOf(path, query, body))),
    ...(values.body !== undefined && !body ? ["body is not an argument of this tool"] : []),
    ...(hasBody ? flat.map(([name]) => `${name} must be within body, which is there`) : []),
    ...missing(endpoint, values, flat.length > 0),
  ]
  if (refusals.length > 0) return { refusals }
  const sent = hasBody ? values.body : flat.length > 0 ? Object.fromEntries(flat) : undefined
  return {
    request: {
      params: pick(path, values),
      query: pick(query, values),
      ...(sent !== undefined && { body: readTexts(body as JsonSchema, sent) }),
    },
  }
}

const isIn = ({ properties = {} }: JsonSchema, name: string): boolean => Object.hasOwn(properties, name)

const divide = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
]

const pick = (schema: JsonSchema, values: Values): Values =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      values[name] === undefined ? [] : [[name, readTexts(of, values[name])]],
    ),
  )

/** The value with the JSON texts of objects and lists replaced by what they contain, at every depth where the schema has one. */
function readTexts(schema: JsonSchema, value: unknown): unknown {
  const known = typeof value === "string" && schema.type !== "string" ? (parseAs(schema, value) ?? value) : value
  const { properties = {}, items } = schema
  if (Array.isArray(known)) return items ? known.map((item) => readTexts(items, item)) : known
  if (typeof known !== "object" || known === null) return known
  return Object.fromEntries(
    Object.entries(known).map(([name, member]) => {
      const of = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, of ? readTexts(of, member) : member]
    }),
  )
}

/** The object or list in a text, where the schema describes one; undefined when the text contains none. */
function parseAs({ type = [] }: JsonSchema, text: string): object | undefined {
  const types = [type].flat()
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return types.includes("array") ? value : undefined
    return typeof value === "object" && value !== null && types.includes("object") ? value : undefined
  } catch {
    return undefined
  }
}

function missing(endpoint: Endpoint, values: Values, hasMembers: boolean): string[] {
  const query = queryOf(endpoint) as JsonSchema
  const hasDefault = (name: string) => query.properties?.[name]?.default !== undefined
  const needed = (query.required ?? []).filter((name) => !hasDefault(name) && values[name] === undefined)
  const unnamed = pathParameters(endpoint.path).filter((name) => !/[^.]/.test(String(values[name] ?? "")))
  const isWithoutBody = needsBody(endpoint) && values.body === undefined && !hasMembers
  return [...unnamed, ...needed, ...(isWithoutBody ? ["body"] : [])].map((name) => `${name} is required`)
}

export const needsBody = (endpoint: Endpoint): boolean =>
  takesJson(endpoint) && !Type.IsOptional(endpoint.body as never)

const namesOf = (...schemas: (JsonSchema | undefined)[]): string[] =>
  schemas.flatMap((schema) => Object.keys(schema?.properties ?? {}))

function unknownArgument(name: string, known: readonly string[]): string {
  const near = findNearest(name, known)
  return `${name} is not an argument of this tool${near === undefined ? "" : `; did you mean ${near}?`}`
}
