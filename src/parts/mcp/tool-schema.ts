import type { Tool } from "@modelcontextprotocol/server"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"

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
export const resultSchema = (schema: JsonSchema): ToolSchema => toJson(bare(schema, 1)) as ToolSchema

/** Leaves out members that are undefined. */
const toJson = (value: object): unknown => JSON.parse(JSON.stringify(value))

const explained = (schema: JsonSchema): object => {
  const { description, format } = schema
  const time = format === "date-time" && description !== rfc ? `A time in ${rfc}` : undefined
  const sentences = [description, time, isNullable(schema) ? removing : undefined].filter((text) => text !== undefined)
  return { ...plain(schema), description: sentences.join(". ") || undefined }
}

const rfc = "RFC 3339"

/** What `null` means in a merge patch, where a list of types would say that it is allowed. */
const removing = "null removes it"

function plain(schema: JsonSchema): object {
  const { required = [], properties, items } = schema
  return {
    type: typeOf(schema),
    description: isNullable(schema) ? removing : undefined,
    enum: schema.enum,
    properties: properties && mapValues(Object.entries(properties), plain),
    required: required.length > 0 ? required : undefined,
    items: items && plain(items),
  }
}

function bare(schema: JsonSchema, depth: number): object {
  const { properties, required = [], items } = schema
  const always = Object.entries(properties ?? {}).filter(([name, of]) => required.includes(name) && !isNullable(of))
  return {
    type: typeOf(schema),
    properties: depth > 0 && properties ? mapValues(always, (member) => bare(member, depth - 1)) : undefined,
    items: items && bare(items, depth - 1),
  }
}

/** One type: providers refuse a list of them. An enumeration is one of words. */
const typeOf = ({ type = "string" }: JsonSchema): string => [type].flat().find((one) => one !== "null") as string

const isNullable = ({ type }: JsonSchema): boolean => [type].flat().includes("null")

const mapValues = (members: readonly [string, JsonSchema][], map: (schema: JsonSchema) => object) =>
  Object.fromEntries(members.map(([name, schema]) => [name, map(schema)]))
