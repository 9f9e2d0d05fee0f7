import type { TSchema } from "typebox"
import { mapValues } from "../../../core/kernel/json/map-values.ts"
import type { JsonSchema } from "../../../core/kernel/schema/type.ts"

const strings: Record<string, string> = {
  "date-time": "2026-01-01T12:00:00.000Z",
  uri: "https://example.com/",
  "uri-reference": "https://example.com/",
  email: "ada@example.com",
}

/** A value that fits the schema: its own example, or one composed of the examples of its parts. */
export function exampleOf(schema: TSchema): unknown {
  const { const: only, examples, default: usual, enum: values, anyOf, oneOf, ...rest } = schema as JsonSchema
  const named = examples?.[0] ?? usual ?? only ?? values?.[0]
  if (named !== undefined) return named
  const [alternative] = anyOf ?? oneOf ?? []
  if (alternative) return exampleOf(alternative)

  switch ([rest.type].flat()[0]) {
    case "object":
      return mapValues(rest.properties ?? {}, exampleOf)
    case "array":
      return rest.items ? [exampleOf(rest.items)] : []
    case "integer":
    case "number":
      return Math.max(rest.minimum ?? 1, 0)
    case "boolean":
      return true
    case "null":
      return null
    default:
      return strings[rest.format ?? ""] ?? "text"
  }
}
