import type { JsonSchema } from "../../kernel/schema/type.ts"

/** A number or boolean written as text, in a form or in XML, as the JSON value of this type; any other text as it is. */
export function readScalar(text: string, type: JsonSchema["type"]): unknown {
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text)
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true"
  return text
}
