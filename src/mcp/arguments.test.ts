import assert from "node:assert/strict"
import { test } from "node:test"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import { nullable } from "../kernel/schema/schema.ts"
import { Type } from "../kernel/schema/type.ts"
import { argumentsOf, toRequest } from "./arguments.ts"

const User = Type.Object({
  username: Type.String(),
  email: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }))),
  address: Type.Optional(nullable(Type.Object({ city: Type.String() }))),
})
const update = {
  method: "PUT",
  params: Type.Object({ username: Type.String() }),
  query: Type.Object({ notify: Type.Optional(Type.Boolean()), mode: Type.String({ default: "a" }), by: Type.String() }),
  body: User,
} as unknown as Endpoint
const importAll = { method: "POST", body: Type.Array(User) } as unknown as Endpoint
const optional = { method: "POST", body: Type.Optional(User) } as unknown as Endpoint
const read = { method: "GET", params: Type.Object({ id: Type.Integer() }) } as unknown as Endpoint

const shown = (endpoint: Endpoint) =>
  [...argumentsOf(endpoint)].map(([name, { in: location, as, isRequired }]) => [name, location, as, isRequired])

test("arguments are the members of the body, the query and the path; a name that the path has too is its new value", () => {
  assert.deepEqual(shown(update), [
    ["newUsername", "body", "username", true],
    ["email", "body", "email", false],
    ["tags", "body", "tags", false],
    ["address", "body", "address", false],
    ["notify", "query", "notify", false],
    ["mode", "query", "mode", false],
    ["by", "query", "by", true],
    ["username", "params", "username", true],
  ])
  assert.deepEqual(shown(importAll), [["items", "body", undefined, true]])
  assert.equal(shown(optional)[0]?.[3], false)
  assert.deepEqual(shown({ ...importAll, body: Type.Optional(Type.Array(User)) } as Endpoint)[0]?.[3], false)
  assert.deepEqual(shown({ ...importAll, consumes: ["multipart/form-data"] } as Endpoint), [])
  assert.deepEqual(shown(read), [["id", "params", "id", true]])
})

const needed = { username: "a", by: "b", newUsername: "c" }

test("a call becomes a request", () => {
  assert.deepEqual(toRequest(update, { ...needed, notify: true, email: undefined }), {
    request: { params: { username: "a" }, query: { notify: true, by: "b" }, body: { username: "c" } },
  })
  assert.deepEqual(toRequest(read, { id: 1 }), { request: { params: { id: 1 }, query: {} } })
  assert.deepEqual(toRequest(importAll, { items: [{ username: "a" }] }), {
    request: { params: {}, query: {}, body: [{ username: "a" }] },
  })
  assert.deepEqual(toRequest(optional, {}), { request: { params: {}, query: {} } })
  assert.deepEqual(toRequest(optional, { email: "x" }), { request: { params: {}, query: {}, body: { email: "x" } } })
  const nothingNeeded = {
    method: "PATCH",
    body: Type.Object({ a: Type.Optional(Type.String()) }),
  } as unknown as Endpoint
  assert.deepEqual(toRequest(nothingNeeded, {}), { request: { params: {}, query: {}, body: {} } })
})

test("unknown and missing arguments are refused together", () => {
  assert.deepEqual(toRequest(update, { usernam: "a", by: "b", xyz: 1 }), {
    refusals: [
      "usernam is not an argument of this tool; did you mean username?",
      "xyz is not an argument of this tool",
      "newUsername is required",
      "username is required",
    ],
  })
  assert.deepEqual(toRequest(importAll, {}), { refusals: ["items is required"] })
})

test("an argument in the path is a segment that is not only dots", () => {
  for (const id of ["", ".", "..", undefined])
    assert.deepEqual(toRequest(read, { id }), { refusals: ["id is required"] })
  for (const id of ["a.", 0]) assert.ok("request" in toRequest(read, { id }))
  assert.ok("request" in toRequest(update, { ...needed, by: "." }))
})

const bodyOf = (endpoint: Endpoint, values: object) => {
  const outcome = toRequest(endpoint, values as Record<string, unknown>)
  return "request" in outcome ? (outcome.request as { body: unknown }).body : outcome.refusals
}

test("the members of the body may be within body, also as JSON text, and those beside it take precedence", () => {
  const [path, body] = [
    { username: "a", by: "b" },
    { username: "c", email: "e" },
  ]
  assert.deepEqual(bodyOf(update, { ...path, body }), body)
  assert.deepEqual(bodyOf(update, { ...path, body: JSON.stringify(body) }), body)
  assert.deepEqual(bodyOf(update, { ...path, body, email: "f" }), { username: "c", email: "f" })
  assert.deepEqual(bodyOf(importAll, { body: [{ username: "a" }] }), [{ username: "a" }])
  assert.deepEqual(bodyOf(importAll, { body: '[{"username":"a"}]' }), [{ username: "a" }])
  assert.deepEqual(bodyOf(importAll, { body: [], items: [{ username: "b" }] }), [{ username: "b" }])
  assert.deepEqual(bodyOf(importAll, { body: "text" }), "text")
})

test("a body that is no object, or that the operation does not have, is an unknown argument", () => {
  for (const body of [null, [], "text", "[]", 1]) {
    const [first] = bodyOf(update, { ...needed, body }) as string[]
    assert.match(first ?? "", /^body is not an argument of this tool/, JSON.stringify(body))
  }
  assert.deepEqual(bodyOf(read, { id: 1, body: {} }), ["body is not an argument of this tool"])
  assert.deepEqual(bodyOf(update, { ...needed, body: { other: 1 } }), ["other is not an argument of this tool"])
})

test("objects and lists may be their JSON text, at every depth where the schema has one", () => {
  const tags = [{ id: 1 }]
  for (const given of [tags, JSON.stringify(tags), [JSON.stringify(tags[0])]])
    assert.deepEqual(bodyOf(update, { ...needed, tags: given }), { username: "c", tags })
  for (const given of ['{"city":"x"}', { city: "x" }])
    assert.deepEqual(bodyOf(update, { ...needed, address: given }), { username: "c", address: { city: "x" } })
})

test("a text that contains no such value stays, for the service to refuse", () => {
  for (const [name, text] of [
    ["tags", '{"id":1}'],
    ["tags", "1"],
    ["tags", "["],
    ["tags", "null"],
    ["address", "[]"],
    ["address", "null"],
    ["email", '{"a":1}'],
    ["email", "[]"],
  ] as const)
    assert.deepEqual(bodyOf(update, { ...needed, [name]: text }), { username: "c", [name]: text }, `${name} ${text}`)
  const unknown = { city: "x", constructor: "[]", toString: '{"a":1}' }
  assert.deepEqual(bodyOf(update, { ...needed, address: unknown }), { username: "c", address: unknown })
  assert.deepEqual(bodyOf(update, { ...needed, address: null }), { username: "c", address: null })
})
