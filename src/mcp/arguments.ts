import { findNearest } from "../kernel/did-you-mean.ts"
import { type Endpoint, queryOf, takesJson } from "../kernel/endpoint/endpoint.ts"
import { type JsonSchema, Type } from "../kernel/schema/type.ts"

/** Where the value of an argument goes in the request. A list that is the whole body has no name there. */
type Argument = { in: "params" | "query" | "body"; as: string | undefined; schema: JsonSchema; isRequired: boolean }
type Arguments = ReadonlyMap<string, Argument>

type Values = Record<string, unknown>

/** The request of a tool call, or what is wrong with its arguments. */
type Outcome = { request: object } | { refusals: readonly string[] }

/** The argument with the items of a body that is a list, and the member with those of a response. */
export const itemsName = "items"

/**
 * The arguments of an operation by name: its path and query parameters, and the members of its body. A member with the name of a path
 * parameter is its new value, `newUsername`.
 */
export function argumentsOf(endpoint: Endpoint): Arguments {
  const [path, query] = [endpoint.params ?? {}, queryOf(endpoint)] as [JsonSchema, JsonSchema]
  return new Map([...bodyOf(endpoint, path), ...parametersIn("query", query), ...parametersIn("params", path)])
}

function bodyOf(endpoint: Endpoint, path: JsonSchema): [string, Argument][] {
  if (!takesJson(endpoint)) return []
  const schema = endpoint.body as JsonSchema
  const isNeeded = needsBody(endpoint)
  if (!schema.properties) return [[itemsName, { in: "body", as: undefined, schema, isRequired: isNeeded }]]
  const isTaken = (name: string) => path.properties !== undefined && Object.hasOwn(path.properties, name)
  return Object.entries(schema.properties).map(([as, member]) => {
    const name = isTaken(as) ? `new${as.charAt(0).toUpperCase()}${as.slice(1)}` : as
    return [name, { in: "body", as, schema: member, isRequired: isNeeded && isIn(schema.required, as) }]
  })
}

const parametersIn = (location: "params" | "query", { properties = {}, required }: JsonSchema): [string, Argument][] =>
  Object.entries(properties).map(([name, schema]) => [
    name,
    { in: location, as: name, schema, isRequired: isIn(required, name) && schema.default === undefined },
  ])

const isIn = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) === true

const needsBody = (endpoint: Endpoint): boolean => takesJson(endpoint) && !Type.IsOptional(endpoint.body as never)

/**
 * Converts the arguments of a tool call to a request. Models and their hosts often send an object or a list as its JSON text, and the
 * members of the body within `body`; both are read. Unknown arguments are refused.
 */
export function toRequest(endpoint: Endpoint, values: Values): Outcome {
  const known = argumentsOf(endpoint)
  const given = Object.entries(withMembersOfBody(known, values)).filter(([, value]) => value !== undefined)
  const unnamed = [...known].filter(
    ([name, argument]) => argument.isRequired && isMissing(argument, new Map(given).get(name)),
  )
  const refusals = [
    ...given.filter(([name]) => !known.has(name)).map(([name]) => unknownArgument(name, known.keys())),
    ...unnamed.map(([name]) => `${name} is required`),
  ]
  if (refusals.length > 0) return { refusals }
  const sent = given.map(([name, value]) => {
    const argument = known.get(name) as Argument
    return { ...argument, value: readTexts(argument.schema, value) }
  })
  const pick = (location: Argument["in"]) =>
    Object.fromEntries(sent.filter((one) => one.in === location).map(({ as, value }) => [as, value]))
  const list = sent.find(({ as }) => as === undefined)
  const members = pick("body")
  const hasBody = Object.keys(members).length > 0 || needsBody(endpoint)
  const body = list ? { body: list.value } : hasBody ? { body: members } : {}
  return { request: { params: pick("params"), query: pick("query"), ...body } }
}

/** A path needs a segment that is not only dots. */
const isMissing = (argument: Argument, value: unknown): boolean =>
  value === undefined || (argument.in === "params" && !/[^.]/.test(String(value)))

/** The arguments with the members that are within `body` beside the others, which take precedence. */
function withMembersOfBody(known: Arguments, values: Values): Values {
  const { body, ...beside } = values
  const ofBody = [...known].filter(([, argument]) => argument.in === "body")
  if (body === undefined || ofBody.length === 0) return values
  const isList = ofBody[0]?.[1].as === undefined
  const value = typeof body === "string" ? parseAs({ type: isList ? "array" : "object" }, body) : body
  if (isList) return { [itemsName]: value ?? body, ...beside }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return values
  const nameOf = (member: string) => ofBody.find(([, { as }]) => as === member)?.[0] ?? member
  return { ...Object.fromEntries(Object.entries(value).map(([as, member]) => [nameOf(as), member])), ...beside }
}

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

function unknownArgument(name: string, known: Iterable<string>): string {
  const near = findNearest(name, known)
  return `${name} is not an argument of this tool${near === undefined ? "" : `; did you mean ${near}?`}`
}
