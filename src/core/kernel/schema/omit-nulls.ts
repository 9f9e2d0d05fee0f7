import type { TSchema } from "typebox"
import type { JsonSchema } from "./type.ts"

type Omit = (value: unknown) => void

/**
 * Removes optional null members, in place and at every depth, where the schema does not allow null: serializers write unset
 * members so. A number becomes its text where the schema says so (`x-number`). Required members and items of arrays stay, for the schema to refuse.
 */
export const nullOmitter = (schema: TSchema): Omit => omitterOf(schema as JsonSchema) ?? (() => undefined)

/** Undefined when the schema has no optional member. */
function omitterOf({ properties = {}, required = [], items }: JsonSchema): Omit | undefined {
  if (items) return inItems(omitterOf(items))
  const members = Object.entries(properties)
    .map(([name, of]) => {
      const isOptional = !required.includes(name) || of.default !== undefined
      const mayBeNumber = of["x-number"] === true
      return { name, isOmitted: isOptional && refusesNull(of), mayBeNumber, omitWithin: omitterOf(of) }
    })
    .filter(({ isOmitted, mayBeNumber, omitWithin }) => isOmitted || mayBeNumber || omitWithin)
  if (members.length === 0) return undefined

  return (value) => {
    if (!isRecord(value)) return
    for (const { name, isOmitted, mayBeNumber, omitWithin } of members) {
      const member = value[name]
      if (mayBeNumber && typeof member === "number") value[name] = String(member)
      if (member !== null) omitWithin?.(member)
      else if (isOmitted) delete value[name]
    }
  }
}

const inItems = (omitWithin: Omit | undefined): Omit | undefined =>
  omitWithin &&
  ((value) => {
    if (Array.isArray(value)) value.forEach(omitWithin)
  })

/** Other kinds of schemas, such as unions, may allow null; their members are kept. */
function refusesNull({ type, enum: values, const: only }: JsonSchema): boolean {
  if (values !== undefined) return !values.includes(null)
  if (only !== undefined) return only !== null
  return type !== undefined && !(Array.isArray(type) ? type : [type]).includes("null")
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
