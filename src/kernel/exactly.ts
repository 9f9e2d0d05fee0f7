import type { Static, TObject, TSchema } from "typebox"

/**
 * The fields of the value that its schema describes, in the schema's order, and no others. A value whose type has a field
 * the schema lacks does not compile: whatever a contract accepts either reaches the result or is taken out by name.
 */
export const exactly = <S extends TObject, const V extends Static<S>>(
  schema: S,
  value: V & Exact<V, Static<S>>,
): Static<S> => described(schema, value) as Static<S>

/** `V` as it is when `T` has all its fields, at every depth; a field that `T` lacks becomes `never`. */
type Exact<V, T> = V extends readonly (infer Item)[]
  ? readonly Exact<Item, T extends readonly (infer Described)[] ? Described : never>[]
  : V extends object
    ? { [Name in keyof V]: Name extends keyof T ? Exact<V[Name], NonNullable<T[Name]>> : never }
    : V

function described(schema: TSchema, value: unknown): unknown {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema }
  if (Array.isArray(value)) return items ? value.map((item) => described(items, item)) : value
  if (!properties || typeof value !== "object" || value === null) return value
  const given = value as Record<string, unknown>
  const fields = Object.entries(properties).flatMap(([name, of]) =>
    given[name] === undefined ? [] : [[name, described(of, given[name])] as const],
  )
  return Object.fromEntries(fields)
}
