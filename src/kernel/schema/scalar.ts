import type { JsonSchema } from "./type.ts"

/** Converts the text of a form or of XML to a number or boolean of this type; any other text stays text. */
export function readScalar(text: string, type: JsonSchema["type"]): unknown {
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text)
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true"
  return text
}
