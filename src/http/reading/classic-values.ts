import type { JsonSchema } from "../../kernel/schema/type.ts"
import { readScalar } from "./scalar.ts"

/**
 * Returns a value as the classic v2 reads it, at every depth where the schema requires a number, a boolean or a time: a number or
 * boolean may be its text, a time may lack the offset (then it is UTC) or be in milliseconds since the Unix epoch.
 */
export function readClassicValues(value: unknown, { type, format, properties = {}, items }: JsonSchema): unknown {
  if (format === "date-time") return readTime(value)
  if (typeof value === "string") return readScalar(value, type)
  if (Array.isArray(value)) return items ? value.map((item) => readClassicValues(item, items)) : value
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const of = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, of ? readClassicValues(member, of) : member]
    }),
  )
}

/** Any other value stays as it is, for the schema to accept or refuse. */
function readTime(value: unknown): unknown {
  const text = String(value)
  if (/^-?\d{1,15}$/.test(text)) return new Date(Number(text)).toISOString()
  const [, date, time, seconds = ":00"] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(text) ?? []
  return date === undefined ? value : `${date}T${time ?? "00:00"}${seconds}Z`
}
