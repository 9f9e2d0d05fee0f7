import { readScalar } from "../../kernel/schema/scalar.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"

/**
 * Returns a value as the classic v2 reads it, at every depth where the schema requires a number, a boolean or a time: a number or
 * boolean may be its text, a time may lack seconds, and the offset (then it is UTC), or be in milliseconds since the Unix epoch. A required list
 * may be absent or null, and an empty URL in it counts as absent. Spaces at the end of an e-mail address are dropped.
 */
export function readClassicValues(value: unknown, schema: JsonSchema): unknown {
  const { format, properties = {}, items } = schema
  if (format === "date-time") return readTime(value)
  if (typeof value === "string") {
    const text = schema["x-trimmed"] ? value.trimEnd() : value
    return text.trim() === "" ? text : readScalar(text, schema)
  }
  if (Array.isArray(value)) return items ? readItems(value, items) : value
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries({ ...value, ...missingLists(value, schema) }).map(([name, member]) => {
      const of = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, of ? readClassicValues(member, of) : member]
    }),
  )
}

const readItems = (values: unknown[], items: JsonSchema): unknown[] =>
  values
    .filter((item) => !(item === "" && items.format === "uri-reference"))
    .map((item) => readClassicValues(item, items))

/** An empty list for each required list that the value does not have. */
const missingLists = (value: object, { properties = {}, required = [] }: JsonSchema): Record<string, []> =>
  Object.fromEntries(
    required
      .filter(
        (name) => properties[name]?.type === "array" && ((value as Record<string, unknown>)[name] ?? null) === null,
      )
      .map((name) => [name, []]),
  )

const classicTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)?)?$/

/** Any other value stays as it is, as text, for the schema to accept or refuse. */
function readTime(value: unknown): unknown {
  if (typeof value === "object") return value
  const text = String(value)
  if (/^-?\d{1,15}$/.test(text)) return new Date(Number(text)).toISOString()
  const [, date, time = "00:00", seconds = ":00", offset = "Z"] = classicTime.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${seconds}${offset}`
}
