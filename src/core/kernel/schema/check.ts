import { Ajv2020, type ErrorObject, type Format, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import type { TSchema } from "typebox"
import { findNearest } from "../did-you-mean.ts"
import { onceForEach } from "../flow/once-for-each.ts"
import { mapValues } from "../json/map-values.ts"
import { memberAt } from "../json/pointer.ts"
import { isCidr } from "../network/ip-address.ts"
import type { Violation } from "../problem.ts"
import { isVisible } from "../visible.ts"
import { describeDateTime } from "./date-time.ts"
import type { NumberFormat, TextFormat } from "./type.ts"

const violationsMax = 100

/** Does not validate the schemas, which the tests do: compiling their meta-schema takes longer than all of them. */
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: true,
  allowUnionTypes: true,
  meta: false,
  validateSchema: false,
})
const anyNumber: Format = { type: "number", validate: () => true }
const knownFormats: Record<TextFormat | NumberFormat, Format> = {
  "uri-reference": formats.default.get("uri-reference"),
  uri: formats.default.get("uri"),
  "date-time": formats.default.get("date-time"),
  email: formats.default.get("email"),
  cidr: isCidr,
  // Checked when it is decoded.
  base64url: true,
  password: true,
  int32: anyNumber,
  int64: anyNumber,
}
for (const [name, format] of Object.entries(knownFormats)) ajv.addFormat(name, format)
for (const keyword of ["x-rule", "x-missing", "x-ignored", "x-trimmed", "x-exclusive", "x-number", "xml"])
  ajv.addKeyword(keyword)
ajv.addKeyword({
  keyword: "x-visible",
  type: "string",
  validate: (_: true, text: string) => isVisible(text) || isBlank(text),
})

/** A blank text violates the pattern, which documents show. */
const isBlank = (text: string): boolean => /^[\s\0]*$/.test(text)

/** Returns all violations of a value, none when it is valid. Applies defaults. */
type Check = (value: unknown) => Violation[]

/** A check of JSON values; violations have pointers. */
export const checkOf: (schema: TSchema) => Check = onceForEach((schema: TSchema) =>
  compile(schema, (path) => ({ pointer: path })),
)

/** A check of an object of parameters; violations name the parameter. */
export const parameterCheck = (schema: TSchema): Check =>
  compile(schema, (path) => ({ parameter: path.split("/")[1] as string }))

type Location = { pointer: string } | { parameter: string }

/** Compiles on first use: a start or a command does not need the schemas of all operations. */
function compile(schema: TSchema, locate: (path: string) => Location): Check {
  let validate: ValidateFunction | undefined
  return (value) => {
    validate ??= ajv.compile(boundedArrays(schema))
    if (validate(value)) return []
    const errors = (validate.errors as ErrorObject[]).filter(({ keyword }) => keyword !== "if")
    return errors.slice(0, violationsMax).map((error) => {
      const [code, detail] = explain(error)
      return { ...locate(pathOf(error)), code, detail }
    })
  }
}

/**
 * The same schema, but the items of an array are checked only when their number is within bounds: ajv collects every violation,
 * and an oversized array has any number of them.
 */
function boundedArrays<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(boundedArrays) as T
  if (typeof schema !== "object" || schema === null) return schema
  const { items, ...rest } = schema as Record<string, unknown>
  const bounded = mapValues(rest, boundedArrays)
  if (items === undefined) return bounded as T
  const judged = { items: boundedArrays(items) }
  const { maxItems } = rest
  return {
    ...bounded,
    ...(typeof maxItems === "number" ? { if: { minItems: maxItems + 1 }, else: judged } : judged),
  } as T
}

function pathOf({ keyword, instancePath, params }: ErrorObject): string {
  const member = memberOf[keyword]
  if (member === undefined) return instancePath
  return memberAt(instancePath, String(params[member]))
}

/** Where an error about an object names the member that it is about. */
const memberOf: Readonly<Record<string, string>> = {
  required: "missingProperty",
  additionalProperties: "additionalProperty",
}

/** A stable code and the predicate of a sentence about the value. */
const explain = (error: ErrorObject): [string, string] =>
  explanations[error.keyword]?.(error) ?? [error.keyword, error.message ?? "is not valid"]

const explanations: Readonly<Record<string, (error: ErrorObject) => [string, string]>> = {
  required: ({ parentSchema, params }) => {
    const hint = parentSchema?.properties?.[params.missingProperty]?.["x-missing"]
    return ["required", hint === undefined ? "is required" : `is required: ${hint}`]
  },
  additionalProperties: ({ parentSchema, params }) => {
    const near = findNearest(String(params.additionalProperty), Object.keys(parentSchema?.properties ?? {}))
    return ["unknown", `is not a member${near === undefined ? "" : `; did you mean ${near}?`}`]
  },
  type: ({ params }) => ["wrong-type", `must be ${article(String(params.type).replace(",", " or "))}`],
  enum: ({ params }) => ["not-allowed", `must be one of ${(params.allowedValues as unknown[]).join(", ")}`],
  minLength: ({ params: { limit } }) =>
    limit === 1 ? ["blank", "must not be empty"] : ["too-short", `needs ${limit} characters or more`],
  maxLength: ({ params }) => ["too-long", `must have ${params.limit} characters or fewer`],
  minItems: ({ params }) => ["too-few", `needs ${params.limit} or more items`],
  maxItems: ({ params }) => ["too-many", `must have ${params.limit} items or fewer`],
  minimum: ({ params }) => ["too-small", `must be ${params.limit} or more`],
  maximum: ({ params, parentSchema }) => [
    "too-large",
    String(parentSchema?.["x-rule"] ?? `must be ${params.limit} or less`),
  ],
  pattern: ({ parentSchema, message }) => ["wrong-form", String(parentSchema?.["x-rule"] ?? message)],
  "x-visible": () => ["wrong-form", "must contain a visible character"],
  format: ({ params: { format }, data, parentSchema }) => [
    "wrong-form",
    format === "date-time"
      ? String(parentSchema?.["x-rule"] ?? describeDateTime(data))
      : `must be a valid ${String(format)}`,
  ],
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)
