import type { TSchema } from "typebox"
import { parseJson } from "../../kernel/json/parse-json.ts"
import { type Problem, problem } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import { closeSchema, isClosed } from "../../kernel/schema/close-schema.ts"
import { readScalar } from "../../kernel/schema/scalar.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import { itemsWithin, type NestedField, type NestedFields } from "./nested-names.ts"

/** Reads a whole form. Throws the 422 when none of its fields is known: the request would have no effect. */
export function readWholeForm(schema: TSchema, fields: NestedFields): Record<string, unknown> {
  const { properties = {} } = schema as JsonSchema
  const names = [...fields.keys()]
  if (names.length === 0 || names.some((name) => Object.hasOwn(properties, name))) return composeForm(schema, fields)
  const few = new Map([...fields].slice(0, violationsMax))
  throw unknownMembers(schema, composeForm(closeSchema(schema), few))
}

const violationsMax = 20

/** The problem of a value without a known member. */
export const unknownMembers = (schema: TSchema, value: unknown): Problem =>
  problem("invalid-body", checkOf(closeSchema(schema))(value))

/**
 * Converts a form to the JSON that its schema describes. In OpenAPI's default encoding, a list is a repeated field, an object is JSON
 * in its field, and a list of objects is one field for each, or one for all. Items and members may also be fields of their own
 * (`nested-names.ts`). What cannot be converted stays as it is, which the schema refuses, and so do unknown fields if it is closed.
 */
export function composeForm(schema: TSchema, fields: NestedFields): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as JsonSchema
  const value: Record<string, unknown> = {}
  for (const [name, of] of Object.entries(properties)) {
    const texts = fields.get(name)
    if (texts) value[name] = readField(of, texts)
    // A form has no other way to express an empty list.
    else if (of.type === "array" && required.includes(name)) value[name] = []
  }
  if (!isClosed(schema as JsonSchema)) return value
  const unknown = [...fields.keys()].filter((name) => !Object.hasOwn(properties, name))
  return { ...value, ...Object.fromEntries(unknown.map((name) => [name, null])) }
}

function readField(schema: JsonSchema, field: NestedField): unknown {
  if (schema.type === "array") return readList(schema, field)
  const { texts, within } = field
  if (within.size > 0) return schema.properties ? readMembers(schema, field) : unreadable(field)
  // A repeated field of a single value stays a list, which the schema refuses.
  const [text = "", ...more] = texts
  if (more.length > 0) return texts
  if (!schema.properties) return readScalar(text, schema)
  return text === "" ? null : readObject(text)
}

function readList({ items = {}, maxItems = Number.POSITIVE_INFINITY }: JsonSchema, field: NestedField): unknown {
  const within = itemsWithin(field)
  if (within === undefined) return unreadable(field)
  // A form sends an input that is left empty.
  const texts = field.texts.filter((text) => text !== "")
  const nested = within.filter((item) => item.within.size > 0 || item.texts.some((text) => text !== ""))
  if (texts.length + nested.length > maxItems) return [...texts, ...nested]
  const values = nested.map((item) => readField(items, item))
  if (!items.properties) return [...texts.map((text) => readScalar(text, items)), ...values]
  const objects = readObjects(texts)
  return objects === null ? null : [...(objects as unknown[]), ...values.flat()]
}

/** An object whose members are fields; JSON in a field of its own beside them is refused. */
function readMembers(schema: JsonSchema, field: NestedField): unknown {
  const isObject = field.texts.length === 0 && [...field.within.keys()].every((name) => /^\w+$/.test(name))
  return isObject ? composeForm(schema as TSchema, field.within) : unreadable(field)
}

/** A value that no schema of a text, a number, a list or an object with known members accepts. */
const unreadable = ({ texts, within }: NestedField): unknown => [[...texts, ...within.keys()]]

/** Null when the only field is `null`. */
function readObjects(texts: readonly string[]): unknown {
  const values = texts.map(readObject)
  return values.length === 1 && values[0] === null ? null : values.flat()
}

function readObject(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
