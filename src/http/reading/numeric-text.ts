import type { JsonSchema } from "../../kernel/schema/type.ts"
import { readScalar } from "./scalar.ts"

/** Returns the value with strings replaced by the number or boolean they denote, at every depth where the schema requires one. */
export function readNumericText(value: unknown, { type, properties = {}, items }: JsonSchema): unknown {
  if (typeof value === "string") return readScalar(value, type)
  if (Array.isArray(value)) return items ? value.map((item) => readNumericText(item, items)) : value
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const of = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, of ? readNumericText(member, of) : member]
    }),
  )
}
