import assert from "node:assert/strict"
import { test } from "node:test"
import type { TSchema } from "typebox"
import { checkOf, parameterCheck } from "./check.ts"
import { label, list, nullable, text, time } from "./schema.ts"
import { Type } from "./type.ts"

const violationsOf = (schema: TSchema, value: unknown) =>
  checkOf(Type.Object({ a: schema }))({ a: value }).map(({ code, detail }) => `${code}: ${detail}`)

test("each violation has a stable code and the end of a sentence", () => {
  const words = Type.Enum(["x", "y"])
  for (const [schema, value, violation] of [
    [Type.Integer(), "1", "wrong-type: must be an integer"],
    [Type.Integer(), Number.POSITIVE_INFINITY, "wrong-type: must be an integer"],
    [Type.String(), 1, "wrong-type: must be a string"],
    [Type.Object({}), [], "wrong-type: must be an object"],
    [nullable(Type.Integer()), "1", "wrong-type: must be an integer or null"],
    [words, "z", "not-allowed: must be one of x, y"],
    [text(1, 5), "", "blank: must not be empty"],
    [text(2, 5), "é", "too-short: needs 2 characters or more"],
    [text(1, 2), "🐕🐕🐕", "too-long: must have 2 characters or fewer"],
    [text(1, 2), "\0", "wrong-form: must not contain NUL"],
    [label(5), " ", "wrong-form: must not be blank or contain NUL"],
    [label(5), "\u200b", "wrong-form: must contain a visible character"],
    [list(Type.String()), [], "too-few: needs 1 or more items"],
    [list(Type.String()), Array(101).fill(1), "too-many: must have 100 items or fewer"],
    [Type.Integer({ minimum: 1 }), 0, "too-small: must be 1 or more"],
    [Type.Integer({ maximum: 1 }), 2, "too-large: must be 1 or less"],
    [Type.Integer({ maximum: 1, "x-rule": "must fit" }), 2, "too-large: must fit"],
    [Type.String({ pattern: "^a$" }), "b", 'wrong-form: must match pattern "^a$"'],
    [time(), "2026-01-02T03:04:05", "wrong-form: must be a date-time with an offset, such as 2026-01-02T03:04:05Z"],
    [Type.String({ format: "email" }), "a", "wrong-form: must be a valid email"],
    [Type.String({ format: "uri" }), "a", "wrong-form: must be a valid uri"],
    [Type.String({ format: "cidr" }), "a", "wrong-form: must be a valid cidr"],
    [Type.Integer({ multipleOf: 2 }), 3, "multipleOf: must be multiple of 2"],
    [Type.Literal(1), 2, "const: must be equal to constant"],
  ] as const)
    assert.deepEqual(violationsOf(schema, value), [violation])
})

test("a value within its bounds violates nothing", () => {
  for (const [schema, value] of [
    [text(2, 3), "🐕🐕"],
    [label(5), "\u200b."],
    [list(Type.String()), ["a"]],
    [nullable(Type.Integer()), null],
    [Type.Integer({ format: "int32" }), 2 ** 40],
    [Type.String({ format: "password" }), "x"],
    [Type.String({ format: "base64url" }), "="],
    [Type.String({ format: "cidr" }), "10.0.0.0/8"],
    [time(), "2026-01-02T03:04:05+01:00"],
  ] as const)
    assert.deepEqual(violationsOf(schema, value), [])
})

test("a missing or unknown member is located where it is missing or stands, with advice", () => {
  const Pet = Type.Object(
    { name: Type.String({ "x-missing": "choose one" }), status: Type.String() },
    { additionalProperties: false },
  )
  assert.deepEqual(checkOf(Type.Object({ pet: Pet }))({ pet: { nme: 1, "a/~b": 2, status: "x" } }), [
    { pointer: "/pet/name", code: "required", detail: "is required: choose one" },
    { pointer: "/pet/nme", code: "unknown", detail: "is not a member; did you mean name?" },
    { pointer: "/pet/a~1~0b", code: "unknown", detail: "is not a member" },
  ])
  assert.deepEqual(checkOf(Pet)({ name: "a" }), [{ pointer: "/status", code: "required", detail: "is required" }])
})

test("parameters are named, and defaults are applied", () => {
  const check = parameterCheck(Type.Object({ tags: Type.Array(Type.String()), limit: Type.Integer({ default: 5 }) }))
  const values = { tags: ["a", 1] }
  assert.deepEqual(check(values), [{ parameter: "tags", code: "wrong-type", detail: "must be a string" }])
  assert.deepEqual(values, { tags: ["a", 1], limit: 5 })
})

test("at most a hundred violations are listed, and the items of an oversized list are not checked", () => {
  const Items = Type.Object({ a: Type.Array(Type.Integer(), { maxItems: 150 }) })
  assert.equal(checkOf(Items)({ a: Array(99).fill("x") }).length, 99)
  assert.equal(checkOf(Items)({ a: Array(150).fill("x") }).length, 100)
  assert.deepEqual(
    checkOf(Items)({ a: Array(151).fill("x") }).map(({ code }) => code),
    ["too-many"],
  )
  assert.equal(checkOf(Type.Object({ a: Type.Array(Type.Integer()) }))({ a: ["x"] }).length, 1)
})

test("a check says nothing on the console, however a schema is made", (t) => {
  const warn = t.mock.method(console, "warn", () => {})
  assert.deepEqual(checkOf(Type.Object({ a: nullable(Type.Integer()), b: Type.Array(Type.Object({})) }))({ b: [{}] }), [
    { pointer: "/a", code: "required", detail: "is required" },
  ])
  assert.equal(warn.mock.callCount(), 0)
})
