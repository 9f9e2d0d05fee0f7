import type { TSchema } from "typebox"
import { onceForEach } from "../flow/once-for-each.ts"
import { mapValues } from "../json/map-values.ts"
import type { JsonSchema } from "./type.ts"

/** The same schema, but an unknown member violates it, at every depth. Members that the service accepts and ignores are known. */
export const closeSchema: (schema: TSchema) => TSchema = onceForEach((schema: TSchema): TSchema => {
  const { properties, items, "x-ignored": ignored = [] } = schema as JsonSchema & { properties?: Properties }
  const known = Object.fromEntries(ignored.map((name) => [name, anything]))
  return {
    ...schema,
    ...(properties && { properties: { ...known, ...mapValues(properties, closeSchema) }, additionalProperties: false }),
    ...(items && { items: closeSchema(items as TSchema) }),
  }
})

type Properties = Record<string, TSchema>

const anything = {}

/** Whether unknown members violate a schema. */
export const isClosed = ({ additionalProperties }: JsonSchema): boolean => additionalProperties === false
