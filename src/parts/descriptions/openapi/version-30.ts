import { mapValues } from "../../../core/kernel/json/map-values.ts"
import type { Schema } from "./components.ts"
import type { OpenapiDocument } from "./document.ts"

/** A document without webhooks in OpenAPI 3.0.3, for generators that read no later version. */
export function asVersion30({ openapi: _, info: { summary: __, license, ...info }, ...rest }: OpenapiDocument) {
  const { identifier, name } = license
  const address = `https://spdx.org/licenses/${identifier}.html`
  return {
    openapi: "3.0.3",
    info: { ...info, license: { name, url: address } },
    ...(convert(rest) as typeof rest),
  }
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, convertMember(name, part)]))
}

function convertMember(name: string, value: unknown): unknown {
  if (name === "schema") return schema30(value as Schema)
  if (name === "schemas") return mapValues(value as Record<string, Schema>, schema30)
  return name === "example" || name === "examples" ? value : convert(value)
}

/** 3.0 has one example, `nullable` instead of a list of types, an enumeration of one value, and flags for exclusive bounds. */
function schema30({ type, const: only, examples, contentMediaType: _, contentSchema: __, ...schema }: Schema): Schema {
  if (schema.$ref) return { $ref: schema.$ref }
  const types = [type].flat().filter((one) => one !== "null")
  return {
    ...(type !== undefined && { type: types[0] }),
    ...([type].flat().includes("null") && { nullable: true }),
    ...(only !== undefined && { enum: [only] }),
    ...Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => keyword30(name, value))),
    ...(Array.isArray(examples) && { example: examples[0] }),
  }
}

function keyword30(name: string, value: unknown): [string, unknown][] {
  switch (name) {
    case "properties":
      return [[name, mapValues(value as Record<string, Schema>, schema30)]]
    case "items":
      return [[name, schema30(value as Schema)]]
    case "oneOf":
    case "anyOf":
    case "allOf":
      return [[name, (value as Schema[]).map(schema30)]]
    case "exclusiveMinimum":
      return [
        ["minimum", value],
        [name, true],
      ]
    case "exclusiveMaximum":
      return [
        ["maximum", value],
        [name, true],
      ]
    default:
      return [[name, value]]
  }
}
