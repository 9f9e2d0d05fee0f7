import assert from "node:assert/strict"
import { test } from "node:test"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { UsageError } from "../command/command.ts"
import { collectFields, kebab, requestFields } from "./endpoint-flags.ts"

const endpoint: Endpoint = {
  method: "GET",
  path: "/things/{thingId}",
  summary: "Find things",
  tag: "things",
  command: "things find",
  scope: "open",
  response: Type.Object({}),
  status: 200,
  problems: [],
}
const flagsOf = (more: Partial<Endpoint>) => requestFields({ ...endpoint, ...more }).map(({ flag }) => flag)
const named = (more: Partial<Endpoint>) => flagsOf(more).map(({ name }) => name)

test("each scalar and list of scalars of query and body has a flag, and other members have none", () => {
  const query = Type.Object({
    status: Type.Optional(
      Type.Array(Type.Enum(["available", "sold"]), { description: "The states", default: ["sold", "available"] }),
    ),
    limit: Type.Integer({ description: "How many", default: 5 }),
    price: Type.Optional(Type.Number({ default: 1 })),
    maxAge: Type.Integer(),
    isNew: Type.Optional(Type.Boolean({ description: "Only new ones" })),
    since: Type.Optional(Type.String({ format: "date-time" })),
  })
  const body = Type.Object({
    limit: Type.Integer(),
    grant_type: Type.String({ description: "The grant" }),
    email: Type.Optional(Type.String({ format: "email" })),
    home: Type.Optional(Type.String({ format: "uri" })),
    photo: Type.Optional(Type.String({ format: "uri-reference" })),
    day: Type.Optional(Type.Unsafe({ type: "string", format: "date" })),
    password: Type.String({ format: "password" }),
    oldPassword: Type.Optional(Type.String({ format: "password" })),
    nick: Type.Optional(Type.Unsafe({ type: ["null", "string"] })),
    tags: Type.Array(Type.Object({})),
    category: Type.Object({}),
    level: Type.Unsafe({ enum: [1, 2] }),
    only: Type.Unsafe({ enum: ["one"] }),
  })
  assert.deepEqual(flagsOf({ query, body }), [
    {
      name: "status",
      value: "available|sold",
      choices: ["available", "sold"],
      meaning: "The states (default sold, available)",
      many: true,
    },
    { name: "limit", value: "N", meaning: "How many (default 5)" },
    { name: "price", value: "N", meaning: "(default 1)" },
    { name: "max-age", value: "N", meaning: "", required: true },
    { name: "is-new", meaning: "Only new ones" },
    { name: "since", value: "TIME", meaning: "" },
    { name: "grant-type", value: "TEXT", meaning: "The grant", required: true },
    { name: "email", value: "EMAIL", meaning: "" },
    { name: "home", value: "URL", meaning: "" },
    { name: "photo", value: "URL", meaning: "" },
    { name: "day", value: "TEXT", meaning: "" },
    {
      name: "password",
      value: "TEXT",
      meaning: "",
      secret: "omit the flag to enter it at a prompt",
      required: true,
    },
    { name: "old-password", value: "TEXT", meaning: "", secret: "pass it with --body - on standard input" },
    { name: "nick", value: "TEXT", meaning: "" },
    { name: "only", value: "one", choices: ["one"], meaning: "", required: true },
  ])
  const secretQuery = Type.Object({ password: Type.String({ format: "password" }) })
  assert.equal(flagsOf({ query: secretQuery })[0]?.secret, "pass it with --body - on standard input")
  assert.deepEqual(named({ body, consumes: ["text/csv"] }), [])
})

test("an endpoint that honours headers has their flags", () => {
  assert.deepEqual(named({}), [])
  assert.deepEqual(named({ idempotent: "by-key" }), ["idempotency-key"])
  assert.deepEqual(named({ problems: ["precondition-failed"] }), ["if-match"])
  assert.deepEqual(named({ conditional: true }), ["if-none-match"])
  assert.deepEqual(named({ conditional: true, method: "PUT" }), [])
  assert.deepEqual(named({ counted: true }), ["count"])
})

test("values of flags are converted, and collected by where they are sent", () => {
  const query = Type.Object({
    limit: Type.Integer(),
    price: Type.Number(),
    tags: Type.Array(Type.String()),
    ids: Type.Array(Type.Integer()),
    isNew: Type.Boolean(),
  })
  const fields = requestFields({ ...endpoint, query, idempotent: "by-key", counted: true })
  const collected = (flags: Record<string, (string | boolean)[]>, location: "query" | "header" | "body" = "query") =>
    collectFields(fields, { arguments: {}, flags, rest: [] }, location)
  assert.deepEqual(
    collected({ limit: ["-5"], price: ["1.5e3"], tags: ["a", "b"], ids: ["1", "2"], "is-new": [false], other: ["x"] }),
    { limit: -5, price: 1500, tags: ["a", "b"], ids: [1, 2], isNew: false },
  )
  assert.deepEqual(collected({ tags: [""], ids: [""] }), { tags: [], ids: [] })
  assert.deepEqual(collected({ tags: ["", "a"] }), { tags: ["", "a"] })
  assert.deepEqual(collected({ limit: [String(Number.MAX_SAFE_INTEGER)] }), { limit: Number.MAX_SAFE_INTEGER })
  const headers = { "idempotency-key": ["k1"], count: [true], limit: ["1"] }
  assert.deepEqual(collected(headers, "header"), { "Idempotency-Key": "k1", Prefer: "count=exact" })
  assert.deepEqual(collected(headers, "body"), {})
  for (const wrong of ["", "1.5", "1e3", "x", " 1", "9007199254740992"])
    assert.throws(() => collected({ limit: [wrong] }), new UsageError("--limit must be an integer"))
  for (const wrong of ["", "x", "Infinity"])
    assert.throws(() => collected({ price: [wrong] }), new UsageError("--price must be a number"))
  assert.throws(() => collected({ ids: ["1", ""] }), new UsageError("--ids must be an integer"))
})

test("a name is in kebab-case", () => {
  assert.deepEqual(["photoUrls", "grant_type", "sha256Of", "a_b_c", "id"].map(kebab), [
    "photo-urls",
    "grant-type",
    "sha256-of",
    "a-b-c",
    "id",
  ])
})
