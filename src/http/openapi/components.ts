import type { TSchema } from "typebox"

/** A JSON Schema as the document holds it. */
export type Schema = Record<string, unknown>

/** Answers a schema's form in the document: a reference when it has a name, itself otherwise. */
export type Refer = (schema: TSchema) => Schema

/** Collects the named schemas a document refers to; each name stands for one schema. */
export function schemaCollector(): { refer: Refer; schemas: () => Record<string, Schema> } {
  const components = new Map<string, Schema>()

  function reference(schema: Schema): Schema {
    const { title, ...rest } = schema as { title?: string }
    const copy = Object.fromEntries(
      Object.entries(rest).flatMap(([key, value]) => (key === "x-rule" ? [] : [[key, inside(key, value)]])),
    )
    if (title === undefined) return copy
    const known = components.get(title)
    if (known && JSON.stringify(known) !== JSON.stringify(copy)) throw new Error(`Two schemas are named ${title}`)
    components.set(title, copy)
    return { $ref: `#/components/schemas/${title}` }
  }

  function inside(key: string, value: unknown): unknown {
    if (key === "properties")
      return Object.fromEntries(
        Object.entries(value as Schema).map(([name, part]) => [name, reference(part as Schema)]),
      )
    if (key === "items" && typeof value === "object") return reference(value as Schema)
    if (key === "anyOf" || key === "oneOf" || key === "allOf") return (value as Schema[]).map((part) => reference(part))
    return value
  }

  return {
    refer: (schema) => reference(schema as Schema),
    schemas: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
