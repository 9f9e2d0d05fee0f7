import { type Endpoint, queryOf, takesJson } from "../../core/kernel/endpoint/endpoint.ts"
import { onceForEach } from "../../core/kernel/flow/once-for-each.ts"
import { type JsonSchema, Type } from "../../core/kernel/schema/type.ts"
import { hasNoValue, inside, readValue, refuse, refuseUnknownName, startReading } from "./argument-values.ts"

/** Where the value of an argument goes in the request. A list that is the whole body has no name there. */
type Argument = {
  in: "params" | "query" | "body" | "headers"
  as: string | undefined
  schema: JsonSchema
  isRequired: boolean
}
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
export const argumentsOf = onceForEach((endpoint: Endpoint): Arguments => {
  const [path, query] = [endpoint.params ?? {}, queryOf(endpoint)] as [JsonSchema, JsonSchema]
  return new Map([
    ...bodyOf(endpoint, path),
    ...parametersIn("query", query),
    ...parametersIn("params", path),
    ...(endpoint.idempotent ? [idempotencyKey] : []),
  ])
})

const idempotencyKey: [string, Argument] = [
  "idempotencyKey",
  {
    in: "headers",
    as: "idempotencyKey",
    schema: Type.String({ description: "Repeat it safely with the same key" }) as JsonSchema,
    isRequired: false,
  },
]

function bodyOf(endpoint: Endpoint, path: JsonSchema): [string, Argument][] {
  if (!takesJson(endpoint)) return []
  const schema = endpoint.body as JsonSchema
  const isNeeded = needsBody(endpoint)
  if (!schema.properties) return [[itemsName, { in: "body", as: undefined, schema, isRequired: isNeeded }]]
  const isTaken = (name: string) => path.properties !== undefined && Object.hasOwn(path.properties, name)
  const members = Object.entries(schema.properties).filter(([as]) => !isIn(schema["x-ignored"], as))
  return members.map(([as, member]) => {
    const name = isTaken(as) ? `new${as.charAt(0).toUpperCase()}${as.slice(1)}` : as
    return [name, { in: "body", as, schema: member, isRequired: isNeeded && isIn(schema.required, as) }]
  })
}

/** The argument to which a pointer into the body leads, with its members and indexes: `items.0.name`. */
export function argumentAt(endpoint: Endpoint, pointer: string): string {
  const [member = "", ...inner] = pointer.slice(1).split("/")
  const [name = [member]] = [...argumentsOf(endpoint)].flatMap(([name, { in: location, as }]) => {
    if (location !== "body") return []
    return as === undefined ? [[name, member]] : as === member ? [[name]] : []
  })
  return [...name, ...inner].filter((part) => part !== "").join(".")
}

const parametersIn = (location: "params" | "query", { properties = {}, required }: JsonSchema): [string, Argument][] =>
  Object.entries(properties).map(([name, schema]) => [
    name,
    { in: location, as: name, schema, isRequired: isIn(required, name) && schema.default === undefined },
  ])

const isIn = (names: readonly string[] | undefined, name: string): boolean => names?.includes(name) === true

/** Whether it is a member of the body that the operation accepts and ignores. */
const isIgnored = ({ body }: Endpoint, name: string): boolean =>
  isIn((body as JsonSchema | undefined)?.["x-ignored"], name)

const needsBody = (endpoint: Endpoint): boolean => takesJson(endpoint) && !Type.IsOptional(endpoint.body as never)

/**
 * Converts the arguments of a tool call to a request. Models and their hosts often send values as text and the members of the body within
 * `body`; both are read. Unknown arguments are refused, at every depth.
 */
export function toRequest(endpoint: Endpoint, values: Values): Outcome {
  const known = argumentsOf(endpoint)
  const reading = startReading()
  const { refusals } = reading
  const sent = new Map<string, Argument & { value: unknown }>()
  for (const [name, given] of Object.entries(withMembersOfBody(known, values))) {
    const argument = known.get(name)
    if (!argument) {
      if (!isIgnored(endpoint, name)) refuseUnknownName(reading, name, known.keys())
    } else {
      reading.isBody = argument.in === "body"
      const value = inside(reading, name, () => readValue(argument.schema, given, reading))
      if (!isAbsent(argument, value)) sent.set(name, { ...argument, value })
    }
  }
  const missing = [...known].filter(([name, { isRequired }]) => isRequired && !sent.has(name))
  // Where nothing else is wrong here, the operation names what its body lacks beside the values that it refuses.
  const isLeft =
    refusals.length === 0 && missing.every(([name, { in: location, as }]) => location === "body" && as === name)
  if (!isLeft) for (const [name] of missing) inside(reading, name, () => refuse(reading, () => "is required"))
  return refusals.length > 0 ? { refusals } : { request: requestOf([...sent.values()], needsBody(endpoint)) }
}

function requestOf(sent: readonly (Argument & { value: unknown })[], needsBody: boolean): object {
  const pick = (location: Argument["in"]) =>
    Object.fromEntries(sent.filter((one) => one.in === location).map(({ as, value }) => [as, value]))
  const list = sent.find(({ as }) => as === undefined)
  const members = pick("body")
  const hasBody = Object.keys(members).length > 0 || needsBody
  const body = list ? { body: list.value } : hasBody ? { body: members } : {}
  return { params: pick("params"), query: pick("query"), ...body, ...pick("headers") }
}

/** Whether an argument counts as omitted. A path needs a segment that is not only dots. */
function isAbsent({ in: location, schema, isRequired }: Argument, value: unknown): boolean {
  if (value === undefined) return true
  if (location === "params") return !/[^.]/.test(String(value ?? ""))
  if (isRequired) return value === null
  return hasNoValue(schema, value) || (location !== "body" && value === "")
}

/** The arguments with the members that are within `body` beside the others, which take precedence. */
function withMembersOfBody(known: Arguments, values: Values): Values {
  const { body, ...beside } = values
  const ofBody = [...known].filter(([, argument]) => argument.in === "body")
  if (body === undefined || ofBody.length === 0) return values
  if (ofBody[0]?.[1].as === undefined) return { [itemsName]: body, ...beside }
  const value = readValue({ type: "object" }, body, startReading())
  if (typeof value !== "object" || value === null || Array.isArray(value)) return values
  const nameOf = (member: string) => ofBody.find(([, { as }]) => as === member)?.[0] ?? member
  return { ...Object.fromEntries(Object.entries(value).map(([as, member]) => [nameOf(as), member])), ...beside }
}
