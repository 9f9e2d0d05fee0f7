import { findNearest } from "../../core/kernel/did-you-mean.ts"
import { parseJson } from "../../core/kernel/json/parse-json.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"

/** The reading of the arguments of one call. */
type Reading = {
  /** The reasons so far why it is refused. */
  refusals: string[]
  /** Where it is: names and indexes. */
  path: (string | number)[]
  /** Whether lists are JSON. In a query one text is a list already. */
  isBody: boolean
  /** Number of texts so far that look like JSON and are none, which takes long to find out. */
  unreadable: number
}

export const startReading = (): Reading => ({ refusals: [], path: [], isBody: true, unreadable: 0 })

/** One call says at most so much, and costs no more. */
const refusalsMax = 10
const unreadableMax = 100
/** Longer names are of no argument, and comparing them takes long. */
const nameLengthMax = 64

/** Adds a reason; `detail` follows the path. */
export function refuse({ refusals, path }: Reading, detail: () => string): void {
  if (refusals.length < refusalsMax) refusals.push(`${path.join(".")} ${detail()}`)
}

export function refuseUnknownName(reading: Reading, name: string, known: Iterable<string>): void {
  const isShort = name.length <= nameLengthMax
  inside(reading, isShort ? name : `${name.slice(0, nameLengthMax)}…`, () =>
    refuse(reading, () => {
      const near = isShort ? findNearest(name, known) : undefined
      return `is not an argument of this tool${near === undefined ? "" : `; did you mean ${near}?`}`
    }),
  )
}

export function inside<T>({ path }: Reading, name: string | number, read: () => T): T {
  path.push(name)
  const value = read()
  path.pop()
  return value
}

/**
 * The value as the schema describes it, where a model means one: a number, a truth value, an object or a list in a text; one item
 * instead of a list; a text instead of an object that has a name only. Optional members without a value are left out, unknown ones
 * refused. A list that is too long stays as it is, for the service to refuse.
 */
export function readValue(schema: JsonSchema, value: unknown, reading: Reading): unknown {
  const known = typeof value === "string" ? readText(schema, value, reading) : value
  if (known === null || known === undefined) return known
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema
  if (Array.isArray(known)) {
    if (!items || known.length > maxItems) return known
    return known.map((item, n) => inside(reading, n, () => readValue(items, item, reading)))
  }
  if (items && reading.isBody)
    return known === "" ? known : [inside(reading, 0, () => readValue(items, known, reading))]
  if (typeof known === "object") return readMembers(schema, known, reading)
  if (typeof known === "number" && !Number.isFinite(known))
    refuse(reading, () => "is a number that cannot be represented exactly")
  return known
}

function readMembers(schema: JsonSchema, value: object, reading: Reading): object {
  const { properties, required = [], "x-ignored": ignored = [] } = schema
  if (!properties) return value
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) {
      if (!ignored.includes(name)) refuseUnknownName(reading, name, Object.keys(properties))
      return []
    }
    const of = properties[name] as JsonSchema
    const read = inside(reading, name, () => readValue(of, member, reading))
    return !required.includes(name) && hasNoValue(of, read) ? [] : [[name, read]]
  })
  return Object.fromEntries(members)
}

/** Whether a value stands for none: models fill in every argument. A null that the schema describes is a value, and so is an empty text. */
export function hasNoValue(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema)
  if (value === null) return types.length > 0 && !types.includes("null")
  const isText = types.includes("string") && !schema.enum && schema.format === undefined
  return value === "" && !isText
}

function readText(schema: JsonSchema, text: string, reading: Reading): unknown {
  if (!text.isWellFormed()) refuse(reading, () => "contains half of a surrogate pair")
  const types = typesOf(schema)
  if (types.length === 0 || types.includes("string")) return text
  const written = /^\s*[[{]/.test(text) ? parse(text, reading) : undefined
  if (Array.isArray(written)) return types.includes("array") ? written : text
  if (written !== undefined) return /object|array/.test(types.join()) ? written : text
  if (types.includes("boolean") && /^(true|false)$/i.test(text)) return text.toLowerCase() === "true"
  if ((types.includes("integer") || types.includes("number")) && decimal.test(text)) {
    const number = Number(text)
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : text
  }
  const [only, ...others] = Object.keys(schema.properties ?? {})
  return only === "name" && others.length === 0 && text !== "" ? { name: text } : text
}

const decimal = /^-?\d{1,17}(\.\d{1,17})?$/

/** The types of a schema; an enumeration is one of words. */
const typesOf = ({ type, enum: words }: JsonSchema): readonly string[] => [type ?? (words ? "string" : [])].flat()

/** The object or list that a text is as JSON; undefined when it is none. */
function parse(text: string, reading: Reading): unknown {
  if (reading.unreadable > unreadableMax) return undefined
  try {
    return parseJson(text)
  } catch {
    reading.unreadable++
    return undefined
  }
}
