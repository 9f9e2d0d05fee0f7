import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { type TSchema, type TSchemaOptions, Type as TypeBox } from "typebox"
import { Type } from "./type.ts"

type Builders = typeof Type
/** Makes a schema with one set of builders or the other. */
type Make = (builders: Builders) => TSchema

const options = fc.option(fc.record({ description: fc.string(), default: fc.integer() }, { requiredKeys: [] }), {
  nil: undefined,
})
const name = fc.stringMatching(/^[a-z]{1,5}$/)

const { schema } = fc.letrec<{ schema: Make }>((tie) => {
  const inner = tie("schema")
  const leaf = (make: (builders: Builders, options: TSchemaOptions | undefined) => TSchema) =>
    options.map((given) => (builders: Builders) => make(builders, given))
  return {
    schema: fc.oneof(
      { depthSize: "small" },
      leaf((builders, given) => builders.String(given)),
      leaf((builders, given) => builders.Integer(given)),
      leaf((builders, given) => builders.Boolean(given)),
      fc.tuple(fc.uniqueArray(name, { minLength: 1 }), options).map(
        ([values, given]) =>
          (builders: Builders) =>
            builders.Enum(values, given),
      ),
      fc.oneof(name, fc.integer(), fc.boolean()).map((value) => (builders: Builders) => builders.Literal(value)),
      fc.tuple(inner, options).map(
        ([items, given]) =>
          (builders: Builders) =>
            builders.Array(items(builders), given),
      ),
      inner.map((made) => (builders: Builders) => builders.Optional(made(builders))),
      inner.map((made) => (builders: Builders) => builders.Unsafe({ ...made(builders), nullable: true })),
      fc.tuple(fc.dictionary(name, inner), options).map(
        ([fields, given]) =>
          (builders: Builders) =>
            builders.Object(
              Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field(builders)])),
              given,
            ),
      ),
    ),
  }
})

test("a schema equals typebox's, including the order of its fields and optional ones", () => {
  fc.assert(
    fc.property(schema, (make) => {
      const [ours, theirs] = [make(Type), make(TypeBox)]
      assert.equal(JSON.stringify(ours), JSON.stringify(theirs))
      assert.equal(Type.IsOptional(ours), TypeBox.IsOptional(theirs))
    }),
    { numRuns: 1000 },
  )
})

test("optional fields are not required; copying a schema makes it required again", () => {
  const field = Type.Optional(Type.String())
  assert.deepEqual(Type.Object({ field }), { type: "object", properties: { field: { type: "string" } } })
  assert.deepEqual(Type.Object({ field: { ...field } }).required, ["field"])
})
