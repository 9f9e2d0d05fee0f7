// Decision: docs/decisions/openapi.md#typebox-for-its-types-schema-builders-of-our-own

import type { TInteger, TNumber, TNumberOptions, TSchema, TString, TStringOptions, Type as TypeBox } from "typebox"

/** A schema as JSON (JSON Schema 2020-12, with the `xml` of OpenAPI), for code that reads schemas. */
export type JsonSchema = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly description?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: unknown
  readonly xml?: { readonly name?: string }
  readonly "x-ignored"?: readonly string[]
  readonly "x-trimmed"?: true
  readonly "x-number"?: boolean
}

/** The formats that the validator knows (`check.ts`); with any other one, no value can be checked. */
export type TextFormat = "uri-reference" | "uri" | "date-time" | "email" | "password" | "base64url" | "cidr"
export type NumberFormat = "int32" | "int64"

export type TextOptions = TStringOptions & { format?: TextFormat }
type NumberOptions = TNumberOptions & { format?: NumberFormat }

const optional = "~optional"

const isOptional = (schema: object): boolean => Object.hasOwn(schema, optional)

const builders = {
  Array: (items: object, options?: object) => ({ type: "array", items, ...options }),
  Boolean: (options?: object) => ({ type: "boolean", ...options }),
  Enum: (values: readonly string[], options?: object) => ({ enum: values, ...options }),
  Integer: (options?: object) => ({ type: "integer", ...options }),
  IsOptional: isOptional,
  Literal: (value: string | number | boolean, options?: object) => ({ type: typeof value, const: value, ...options }),
  Number: (options?: object) => ({ type: "number", ...options }),
  Object(properties: Record<string, object>, options?: object) {
    const required = Object.keys(properties).filter((name) => !isOptional(properties[name] as object))
    return { type: "object", ...(required.length > 0 && { required }), properties, ...options }
  },
  /** Not enumerable: it concerns the containing object and must not appear in the schema. */
  Optional: (schema: object) => Object.defineProperty({ ...schema }, optional, { value: true }),
  String: (options?: object) => ({ type: "string", ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
}

/**
 * The builders of typebox that contracts use, with its types. Only tests load typebox itself and compare the results: its 373
 * files are a third of what a start reads.
 */
export const Type = builders as unknown as Omit<
  Pick<typeof TypeBox, keyof typeof builders>,
  "Integer" | "Number" | "String"
> & {
  Integer(options?: NumberOptions): TInteger
  Number(options?: NumberOptions): TNumber
  String(options?: TextOptions): TString
}

/**
 * Keywords that documents omit: the rule in words, what a missing value means, that a text must show something, the members that are
 * accepted and ignored, that v2 drops spaces at the end, and that a parameter excludes others: it has no example, because tools send all
 * examples of an operation together; and that a number is accepted as its text.
 */
export const ownKeywords: readonly string[] = [
  "x-rule",
  "x-missing",
  "x-visible",
  "x-ignored",
  "x-trimmed",
  "x-exclusive",
  "x-number",
]
