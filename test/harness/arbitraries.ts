import fc, { type Arbitrary } from "fast-check"
import type { TSchema } from "typebox"

type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  format?: string
  examples?: unknown[]
}

/** Texts in every script, including emoji and control characters, without lone surrogates. */
export const anyText = (maxLength = 40): Arbitrary<string> =>
  fc.string({
    unit: fc.oneof(fc.constantFrom(...strange), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
    maxLength,
  })

const strange = [
  "a",
  " ",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "ж",
  "א",
  "ع",
  "漢",
  "한",
  "ไ",
  "🐕‍🦺",
  "👨‍👩‍👧",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "\u202e",
  "\ufeff",
  "\u2028",
  "\\",
  '"',
  "'",
  "%",
  "/",
  "<",
  ";",
  "\n",
  "𝕏",
]

/** Values at the limits of number formats, and values that are not numbers. */
const anyEdge = fc.constantFrom<unknown>(
  0,
  -0,
  1,
  -1,
  1.5,
  100,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  1e300,
  -1e300,
  1e-300,
  null,
  "1",
  "",
  true,
  [],
  {},
)

/** Values that are valid or nearly valid for a schema. Patterns and bounds are matched only by chance. */
export function nearlyValid(schema: TSchema): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: valid(schema as Schema) },
    { weight: 2, arbitrary: corrupted(valid(schema as Schema)) },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
}

function valid(schema: Schema): Arbitrary<unknown> {
  const { enum: allowed, anyOf, oneOf, properties, items, examples } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (allowed) return fc.constantFrom(...allowed)
  const choices = anyOf ?? oneOf
  if (choices) return fc.oneof(...choices.map(valid))
  const types = [schema.type].flat()
  const plain = types.map((type) => {
    if (type === "object")
      return fc.record(
        Object.fromEntries(Object.entries(properties ?? {}).map(([name, part]) => [name, valid(part)])),
        { requiredKeys: [] },
      )
    if (type === "array") return fc.array(items ? valid(items) : fc.jsonValue(), { maxLength: 4 })
    if (type === "string")
      return fc.oneof(
        anyText(),
        fc.constantFrom("string", "https://example.org/", "user1", "2026-01-01T00:00:00Z", "10.0.0.0/8"),
      )
    if (type === "integer" || type === "number") return fc.oneof(fc.integer({ min: 1, max: 40 }), anyEdge)
    return type === "boolean" ? fc.boolean() : fc.constant(null)
  })
  return fc.oneof(...plain, ...(examples ? [fc.constantFrom(...examples)] : []))
}

/** Replaces one part of the value, at any depth. */
const corrupted = (values: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), fc.oneof(anyEdge, anyText(300), fc.jsonValue()))
    .map(([value, where, other]) => replaced(value, where, other))

function replaced(value: unknown, where: number, other: unknown): unknown {
  if (typeof value !== "object" || value === null || where % 4 === 0) return other
  const entries = Object.entries(value)
  const at = where % (entries.length + 1)
  const changed = entries.map(
    ([name, part], n) => [name, n === at ? replaced(part, Math.floor(where / 4), other) : part] as const,
  )
  return Array.isArray(value) ? changed.map(([, part]) => part) : Object.fromEntries(changed)
}
