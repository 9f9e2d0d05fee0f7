import type { TObject, TSchema } from "typebox"
import { mapValues } from "../../kernel/json/map-values.ts"
import { problem } from "../../kernel/problem.ts"
import { parameterCheck } from "../../kernel/schema/check.ts"
import { type JsonSchema, Type } from "../../kernel/schema/type.ts"
import { addField, baseOf, isNested, itemsWithin, type NestedFields } from "./nested-names.ts"

/** Reads parameters and checks them against their schema; throws the 400 that lists every violation. */
type ReadParameters = (raw: unknown) => Record<string, unknown>

/**
 * Reads query parameters: lists are split at commas, a list without items counts as omitted, plain decimal integers become numbers, words
 * of an enumeration have no space around them, everything else stays text.
 */
export function queryReader(schema: TObject): ReadParameters {
  const read = parameterReader(schema, readQueryValue)
  return (raw) => read(withNestedNames(raw as Query, schema))
}

type Query = NodeJS.Dict<unknown>

/** The query with the items of `name[]` and `name[0]` under `name`; any other part of a known name becomes a value that its schema refuses. */
function withNestedNames(query: Query, { properties }: TObject): Query {
  const names = Object.keys(query).filter((name) => isNested(name) && Object.hasOwn(properties, baseOf(name)))
  if (names.length === 0) return query
  const fields: NestedFields = new Map()
  for (const name of names) for (const text of [query[name]].flat()) addField(fields, name, String(text))
  const known: Query = { ...query }
  for (const [name, field] of fields) {
    const items = itemsWithin(field)
    const isFlat = items?.every(({ within }) => within.size === 0)
    known[name] = isFlat ? [known[name] ?? [], ...(items ?? []).map(({ texts }) => texts)].flat(2) : unreadable
  }
  return known
}

/** No parameter is an object. */
const unreadable = {}

/** Reads path parameters. An id is any 64-bit integer, whether or not it exists. */
export const pathReader = (schema: TObject | undefined): ReadParameters =>
  parameterReader(Type.Object(mapValues(schema?.properties ?? {}, withAnyId)), readPathValue)

function parameterReader(schema: TObject, read: (value: unknown, schema: JsonSchema) => unknown): ReadParameters {
  if (Object.keys(schema.properties).length === 0) return () => ({})
  const check = parameterCheck(schema)
  const parameters = Object.entries<JsonSchema>(schema.properties)

  return (raw) => {
    const values: Record<string, unknown> = {}
    for (const [name, of] of parameters) {
      const value = (raw as Record<string, unknown>)[name]
      const given = value === undefined ? undefined : read(value, of)
      if (given !== undefined) values[name] = given
    }
    const violations = check(values)
    if (violations.length > 0) throw problem("invalid-parameter", violations)
    return values
  }
}

function readQueryValue(value: unknown, schema: JsonSchema): unknown {
  if (value === unreadable) return value
  if (schema.type === "array") {
    const items = [value].flat().flatMap((each) => splitItems(each, schema.items))
    return items.length === 0 ? undefined : items
  }
  if (schema.enum && typeof value === "string") return value.trim()
  if (schema.type === "integer" && typeof value === "string" && /^(0|-?[1-9]\d{0,18})$/.test(value))
    return Number(value)
  return value
}

/** The items between commas, without the space around them. One name without a comma may begin with a space, as names may. */
function splitItems(value: unknown, { enum: words }: JsonSchema = {}): string[] {
  const text = String(value)
  const items = words || text.includes(",") ? text.split(",").map((item) => item.trim()) : [text]
  return items.filter((item) => item !== "")
}

/** An id that no resource has, so that the caller receives the usual 404. */
const noId = 0
const beyond64Bits = 2 ** 63

const withAnyId = (schema: TSchema): TSchema =>
  (schema as JsonSchema).type === "integer" ? { ...schema, minimum: noId, "x-rule": "must fit into 64 bits" } : schema

/** An id beyond 2^53 would be rounded, possibly to that of another resource. */
function readPathValue(value: unknown, { type }: JsonSchema): unknown {
  if (type !== "integer" || typeof value !== "string" || !/^(0|-?[1-9]\d*)$/.test(value)) return value
  const id = Number(value)
  if (Number.isSafeInteger(id)) return Math.max(id, noId)
  return fits64Bits(value) ? noId : beyond64Bits
}

/** Longer numbers are not parsed, which takes time with the square of their length. */
const fits64Bits = (digits: string): boolean =>
  digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
