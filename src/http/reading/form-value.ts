import type { TSchema } from "typebox"
import { parseJson } from "../../kernel/json/parse-json.ts"
import type { JsonSchema } from "../../kernel/schema/type.ts"
import type { FormFields } from "./form-fields.ts"
import { readScalar } from "./scalar.ts"

/**
 * Converts a form to the JSON that its schema describes, in OpenAPI's default encoding. A list is a repeated field; an
 * object is JSON in its field; a list of objects is one field for each, or one for all. Text that cannot be converted
 * stays text, which the schema refuses.
 */
export function composeForm(schema: TSchema, fields: FormFields): Record<string, unknown> {
  const { properties = {}, required = [] } = schema as JsonSchema
  const value: Record<string, unknown> = {}
  for (const [name, of] of Object.entries(properties)) {
    const given = fields.get(name)
    if (given) value[name] = readField(of, given)
    // A form has no other way to express an empty list.
    else if (of.type === "array" && required.includes(name)) value[name] = []
  }
  return value
}

function readField({ type, items, maxItems = Number.POSITIVE_INFINITY }: JsonSchema, given: string[]): unknown {
  if (type === "array" && items?.type === "object") return given.length > maxItems ? given : readObjects(given)
  if (type === "array") return given.map((text) => readScalar(text, items?.type))
  // A repeated field of a single value stays a list, which the schema refuses.
  const [text = "", ...more] = given
  if (more.length > 0) return given
  return type === "object" ? readObject(text) : readScalar(text, type)
}

/** Null when the only field is `null`. */
function readObjects(given: readonly string[]): unknown {
  const values = given.map(readObject)
  return values.length === 1 && values[0] === null ? null : values.flat()
}

function readObject(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
