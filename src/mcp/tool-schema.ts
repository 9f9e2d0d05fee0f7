import type { Tool } from "@modelcontextprotocol/server"
import type { JsonSchema } from "../kernel/schema/type.ts"
import { itemsName } from "./arguments.ts"

type ToolSchema = Tool["inputSchema"]

/**
 * The schema of arguments in the keywords that all providers of models accept: one schema with another keyword makes some refuse every
 * tool. Bounds and patterns are left to the service, whose errors name every violation.
 */
export const argumentsSchema = (schema: JsonSchema): ToolSchema =>
  toJson({ ...plain(schema), properties: mapValues(Object.entries(schema.properties ?? {}), explained) }) as ToolSchema

/**
 * The schema of a result: the types of the members that it always has, and of those of its items. A model reads the rest from the values.
 */
export const resultSchema = (schema: JsonSchema): ToolSchema =>
  toJson(bare(schema, schema.properties?.[itemsName] ? 2 : 1)) as ToolSchema

/** Leaves out members that are undefined. */
const toJson = (value: object): unknown => JSON.parse(JSON.stringify(value))

const explained = (schema: JsonSchema): object => ({ ...plain(schema), description: schema.description })

function plain(schema: JsonSchema): object {
  const { format, required = [], properties, items } = schema
  return {
    type: typeOf(schema),
    format: format === "date-time" ? format : undefined,
    enum: schema.enum,
    properties: properties && mapValues(Object.entries(properties), plain),
    required: required.length > 0 ? required : undefined,
    items: items && plain(items),
  }
}

function bare(schema: JsonSchema, depth: number): object {
  const { properties, required = [], items } = schema
  const always = Object.entries(properties ?? {}).filter(([name]) => required.includes(name))
  return {
    type: typeOf(schema),
    properties: depth > 0 && properties ? mapValues(always, (member) => bare(member, depth - 1)) : undefined,
    items: depth > 0 && items ? bare(items, depth) : undefined,
  }
}

/** An enumeration is one of words. */
const typeOf = (schema: JsonSchema): JsonSchema["type"] => schema.type ?? (schema.enum ? "string" : undefined)

const mapValues = (members: readonly [string, JsonSchema][], map: (schema: JsonSchema) => object) =>
  Object.fromEntries(members.map(([name, schema]) => [name, map(schema)]))
