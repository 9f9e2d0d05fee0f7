import type { Static, TObject, TSchema } from "typebox"
import { onceForEach } from "../flow/once-for-each.ts"
import type { JsonSchema } from "./type.ts"

/**
 * Keeps the fields that the schema describes, in its order. A value whose type has another field does not compile: every field
 * of a contract reaches the result or is removed by name.
 */
export const exactly = <S extends TObject, const V extends Static<S>>(
  schema: S,
  value: V & Exact<V, Static<S>>,
): Static<S> => keeperOf(schema)(value) as Static<S>

/** `V` if `T` has all its fields, at every depth; fields that `T` lacks become `never`. */
type Exact<V, T> = V extends readonly (infer Item)[]
  ? readonly Exact<Item, T extends readonly (infer Described)[] ? Described : never>[]
  : V extends object
    ? { [Name in keyof V]: Name extends keyof T ? Exact<V[Name], NonNullable<T[Name]>> : never }
    : V

/** Copies the described fields of a value. */
type Keep = (value: unknown) => unknown

/** Once for each schema: every stored pet, order and user passes through here. */
const keeperOf = onceForEach((schema: TSchema): Keep => {
  const { properties, items } = schema as JsonSchema
  const keepItem = items && keeperOf(items)
  const keepFields = properties && fieldsKeeper(properties)
  return (value) => {
    if (Array.isArray(value)) return keepItem ? value.map(keepItem) : value
    return keepFields && typeof value === "object" && value !== null ? keepFields(value) : value
  }
})

function fieldsKeeper(properties: Record<string, TSchema>): (value: object) => object {
  const fields = Object.entries(properties).map(([name, of]) => ({ name, keep: keeperOf(of) }))
  return (value) => {
    const kept: Record<string, unknown> = {}
    for (const { name, keep } of fields) {
      const field = (value as Record<string, unknown>)[name]
      if (field !== undefined) kept[name] = keep(field)
    }
    return kept
  }
}
