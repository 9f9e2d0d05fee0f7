import type { JsonSchema } from "./type.ts"

/**
 * Converts the text of a form or of XML to the number, boolean, time or word of an enumeration that its schema
 * describes. An empty one is null, which counts as omitted; what cannot be converted stays text, for the schema to refuse.
 */
export function readScalar(text: string, schema: JsonSchema): unknown {
  if (!isTyped(schema)) return text
  const word = text.trim()
  if (word === "") return null
  if (schema.type === "integer" && /^-?\d+(\.0+)?$/.test(word)) return Number(word)
  return schema.type === "boolean" ? readBoolean(word) : word
}

/** As JSON, XML Schema, HTML and Python write it. */
function readBoolean(word: string): unknown {
  if (/^(true|1|on)$/i.test(word)) return true
  return /^(false|0|off)$/i.test(word) ? false : word
}

/** Whether a value is anything but free text. */
const isTyped = ({ type, enum: words, format }: JsonSchema): boolean =>
  type === "integer" || type === "number" || type === "boolean" || words !== undefined || format === "date-time"
