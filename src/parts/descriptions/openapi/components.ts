import type { TSchema } from "typebox"
import { mapValues } from "../../../core/kernel/json/map-values.ts"
import { ownKeywords } from "../../../core/kernel/schema/type.ts"
import { exampleOf } from "./example.ts"

export type Schema = Record<string, unknown>

/** Returns a reference to a named schema, and any other schema itself. */
export type Refer = (schema: TSchema) => Schema

/** Collects the named schemas of a document, each with one example. `sameAs` gives a schema another name. */
export function schemaCollector(): { refer: Refer; schemas: () => Record<string, Schema> } {
  const components = new Map<string, Schema>()

  function reference(schema: Schema, isPart = false): Schema {
    const { title, sameAs, ...rest } = schema as { title?: string; sameAs?: Schema }
    const isWithin = title !== undefined || isPart
    const left = isWithin ? [...ownKeywords, "examples"] : ownKeywords
    const copy: Schema = sameAs
      ? reference(sameAs)
      : Object.fromEntries(
          Object.entries(rest).flatMap(([key, value]) =>
            left.includes(key) ? [] : [[key, inside(key, value, isWithin)]],
          ),
        )
    // Code generators take an enumeration without a type for any value.
    if (Array.isArray(copy.enum)) copy.type ??= typeof copy.enum[0]
    if (title === undefined) return copy
    const known = components.get(title)
    if (known && JSON.stringify({ ...known, examples: undefined }) !== JSON.stringify(copy))
      throw new Error(`Two schemas are named ${title}`)
    // Tools make the examples of XML and of forms from it; those in JSON have their own.
    const isIllustrated = copy.xml !== undefined && !isPart
    if (!known || isIllustrated)
      components.set(title, isIllustrated ? { ...copy, examples: [exampleOf(schema)] } : copy)
    return { $ref: `#/components/schemas/${title}` }
  }

  function inside(key: string, value: unknown, isPart: boolean): unknown {
    if (key === "properties") return mapValues(value as Record<string, Schema>, (part) => reference(part, isPart))
    if (key === "items" && typeof value === "object") return reference(value as Schema, isPart)
    if (key === "anyOf" || key === "oneOf" || key === "allOf")
      return (value as Schema[]).map((part) => reference(part, isPart))
    return value
  }

  return {
    refer: (schema) => reference(schema as Schema),
    schemas: () => Object.fromEntries([...disambiguate(components)].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** Names the values of an enumeration that another shares: Go's generator makes constants of all in one package. */
function* disambiguate(components: Iterable<[string, Schema]>): Generator<[string, Schema]> {
  const taken = new Set<unknown>()
  for (const [name, schema] of components) {
    const { enum: values } = schema as { enum?: string[] }
    const isClashing = values?.some((value) => taken.has(value)) === true
    yield [name, isClashing ? { ...schema, "x-enum-varnames": values?.map((value) => name + pascal(value)) } : schema]
    if (!isClashing) for (const value of values ?? []) taken.add(value)
  }
}

const pascal = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, letter: string) => letter.toUpperCase())
