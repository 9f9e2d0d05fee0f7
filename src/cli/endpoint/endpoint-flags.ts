import { type Endpoint, queryOf, takesJson } from "../../core/kernel/endpoint/endpoint.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { type CommandInput, type Flag, UsageError } from "../command/command.ts"

type Location = "query" | "body" | "header"

/** A request field with a flag of its own; `read` converts the flag's values. */
export type Field = {
  flag: Flag
  location: Location
  name: string
  read(values: readonly (string | boolean)[]): unknown
}

/** All query parameters, header options, and top-level body fields that are scalars or lists of scalars. */
export function requestFields(endpoint: Endpoint): Field[] {
  const query = readSchema("query", queryOf(endpoint) as JsonSchema)
  const body = takesJson(endpoint) ? readSchema("body", endpoint.body as JsonSchema) : []
  return [
    ...query,
    // What may be in either is one flag.
    ...body.filter(({ name }) => !query.some((parameter) => parameter.name === name)),
    ...(endpoint.idempotent ? [idempotencyKey] : []),
    ...(endpoint.problems.includes("precondition-failed") ? [ifMatch] : []),
    ...(endpoint.conditional && endpoint.method === "GET" ? [ifNoneMatch] : []),
    ...(endpoint.counted ? [count] : []),
  ]
}

/** The fields of a request in this location that the command line sets, by name. */
export const collectFields = (
  fields: readonly Field[],
  input: CommandInput,
  location: Location,
): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const values = input.flags[field.flag.name]
      return field.location === location && values ? [[field.name, field.read(values)]] : []
    }),
  )

/** Converts `photoUrls` to `photo-urls` and `grant_type` to `grant-type`. */
export const kebab = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase()

const header = (name: string, value: string, meaning: string): Field => ({
  flag: { name: name.toLowerCase(), value, meaning },
  location: "header",
  name,
  read: ([text]) => text,
})

const idempotencyKey = header("Idempotency-Key", "KEY", "Makes retries safe for 24 hours")
const ifMatch = header("If-Match", "ETAG", "Proceed only if the ETag still matches")
const ifNoneMatch = header("If-None-Match", "ETAG", "Skip the response if the ETag still matches")

const count: Field = {
  flag: { name: "count", meaning: "Also say how many there are on all pages" },
  location: "header",
  name: "Prefer",
  read: () => "count=exact",
}

const prompted = "omit the flag to enter it at a prompt"
const inBody = "pass it with --body - on standard input"

function readSchema(location: Location, { properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const many = schema.type === "array"
    const item = many ? (schema.items ?? {}) : schema
    const kind = kindOf(item)
    if (kind === undefined) return []
    const isRequired = required.includes(name) && schema.default === undefined
    const flag: Flag = {
      name: kebab(name),
      ...(kind !== "boolean" && { value: placeholder(item, kind) }),
      ...(item.enum && { choices: item.enum.map(String) }),
      meaning: describe(schema),
      ...(item.format === "password" && { secret: isRequired && location === "body" ? prompted : inBody }),
      ...(isRequired && { required: true }),
      ...(many && { many: true }),
    }
    const read: Field["read"] = (values) =>
      many ? listOf(values).map((value) => convert(value, kind, flag)) : convert(values[0] as string, kind, flag)
    return [{ flag, location, name, read }]
  })
}

type Kind = "string" | "integer" | "number" | "boolean"

function kindOf({ type, enum: values }: JsonSchema): Kind | undefined {
  const single =
    [type].flat().find((name) => name !== "null") ?? (typeof values?.[0] === "string" ? "string" : undefined)
  return single === "string" || single === "integer" || single === "number" || single === "boolean" ? single : undefined
}

function placeholder(schema: JsonSchema, kind: Kind): string {
  if (schema.enum) return schema.enum.join("|")
  if (kind !== "string") return "N"
  return { "date-time": "TIME", email: "EMAIL", uri: "URL", "uri-reference": "URL" }[schema.format ?? ""] ?? "TEXT"
}

const describe = ({ description = "", default: defaultValue }: JsonSchema): string =>
  defaultValue === undefined ? description : `${description} (default ${[defaultValue].flat().join(", ")})`.trim()

/** A single empty string is an empty list. */
const listOf = (values: readonly (string | boolean)[]) => (values.length === 1 && values[0] === "" ? [] : values)

function convert(value: string | boolean, kind: Kind, { name }: Flag): unknown {
  if (kind === "string" || kind === "boolean") return value
  const number = Number(value)
  const fits =
    kind === "integer" ? /^-?\d+$/.test(String(value)) && Number.isSafeInteger(number) : Number.isFinite(number)
  if (value === "" || !fits) throw new UsageError(`--${name} must be ${kind === "integer" ? "an integer" : "a number"}`)
  return number
}
