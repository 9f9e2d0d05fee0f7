import type { Static, TProperties, TSchema } from "typebox"
import { type TextOptions, Type } from "./type.ts"

/** The largest id: 2^53 - 1, which JSON parsers do not round. */
export const idMax = Number.MAX_SAFE_INTEGER

export const Id = Type.Integer({
  minimum: 1,
  maximum: idMax,
  format: "int64",
})

/** An id that clients may choose; `description` explains 0. */
export const chosenId = (description: string) =>
  Type.Integer({ minimum: 0, maximum: idMax, format: "int64", description })

/** A time in RFC 3339. */
export const time = (description?: string, examples?: [string]) =>
  Type.String({ format: "date-time", ...(description && { description }), ...(examples && { examples }) })

/** Names a schema in the components of the OpenAPI document. */
export const named = <S extends TSchema>(title: string, schema: S): S => Object.assign(schema, { title })

/** A named object. */
export const object = <Fields extends TProperties>(title: string, fields: Fields, options: object = {}) =>
  Type.Object(fields, { title, ...options })

/** A pattern and its explanation as the predicate of a sentence, read by the validator. */
const rule = (pattern: string, requirement: string) => ({ pattern, "x-rule": requirement })

/** Text of `min` to `max` characters (code points), without NUL, which PostgreSQL cannot store. */
export const text = (min: number, max: number, options: TextOptions = {}) =>
  Type.String({ minLength: min, maxLength: max, ...rule("^[^\\x00]*$", "must not contain NUL"), ...options })

/** Text with a visible character. The pattern, which excludes blanks, matches in one way only, in linear time. */
export const label = (max: number, options: TextOptions = {}) =>
  text(1, max, {
    ...rule("^(\\s*[^\\s\\x00][^\\x00]*)?$", "must not be blank or contain NUL"),
    "x-visible": true,
    ...options,
  })

/** A query parameter that may be repeated or contain several values separated by commas. */
export const list = <S extends TSchema>(item: S, options: object = {}) =>
  Type.Array(item, { minItems: 1, maxItems: 100, ...options })

export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, "null"] })

/** The acknowledgement of the public Petstore. */
export const Acknowledgement = object(
  "ApiResponse",
  { code: Type.Integer({ format: "int32" }), type: Type.String(), message: Type.String() },
  { examples: [{ code: 200, type: "success", message: "Pet deleted" }], xml: { name: "apiResponse" } },
)
