import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../test/harness/endpoint.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import { nullable } from "../../core/kernel/schema/schema.ts"
import { Type } from "../../core/kernel/schema/type.ts"
import { argumentAt, argumentsOf, toRequest } from "./arguments.ts"

const User = Type.Object({
  username: Type.String(),
  email: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }))),
  address: Type.Optional(nullable(Type.Object({ city: Type.String() }))),
  age: Type.Optional(Type.Number()),
  isNew: Type.Optional(Type.Boolean()),
  labels: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  label: Type.Optional(Type.Object({ name: Type.String() })),
  photos: Type.Optional(Type.Array(Type.String())),
})
const endpoint = (parts: Partial<Endpoint>): Endpoint => ({ ...plainEndpoint, ...parts })
const update = endpoint({
  method: "PUT",
  params: Type.Object({ username: Type.String() }),
  query: Type.Object({ notify: Type.Optional(Type.Boolean()), mode: Type.String({ default: "a" }), by: Type.String() }),
  body: User,
})
const importAll = endpoint({ method: "POST", body: Type.Array(User) })
const optional = endpoint({ method: "POST", body: Type.Optional(User) })
const read = endpoint({ params: Type.Object({ id: Type.Integer() }) })

const shown = (endpoint: Endpoint) =>
  [...argumentsOf(endpoint)].map(([name, { in: location, as, isRequired }]) => [name, location, as, isRequired])

test("arguments are the members of the body, the query and the path; a name that the path has too is its new value", () => {
  assert.deepEqual(shown(update), [
    ["newUsername", "body", "username", true],
    ["email", "body", "email", false],
    ["tags", "body", "tags", false],
    ["address", "body", "address", false],
    ["age", "body", "age", false],
    ["isNew", "body", "isNew", false],
    ["labels", "body", "labels", false],
    ["label", "body", "label", false],
    ["photos", "body", "photos", false],
    ["notify", "query", "notify", false],
    ["mode", "query", "mode", false],
    ["by", "query", "by", true],
    ["username", "params", "username", true],
  ])
  assert.deepEqual(shown(importAll), [["items", "body", undefined, true]])
  assert.equal(shown(optional)[0]?.[3], false)
  assert.deepEqual(shown({ ...importAll, body: Type.Optional(Type.Array(User)) })[0]?.[3], false)
  assert.deepEqual(shown({ ...importAll, consumes: ["multipart/form-data"] }), [])
  assert.deepEqual(shown(read), [["id", "params", "id", true]])
})

test("a creation takes the key of a repetition, and no member that it ignores, which a call may have nevertheless", () => {
  const body = Type.Object({ name: Type.String(), status: Type.Optional(Type.String()) }, { "x-ignored": ["status"] })
  const add = endpoint({ method: "POST", body, idempotent: "by-key" })
  assert.deepEqual(shown(add), [
    ["name", "body", "name", true],
    ["idempotencyKey", "headers", "idempotencyKey", false],
  ])
  const request = { params: {}, query: {}, body: { name: "a" } }
  assert.deepEqual(toRequest(add, { name: "a", status: "b", idempotencyKey: "k" }), {
    request: { ...request, idempotencyKey: "k" },
  })
  for (const none of [null, "", undefined])
    assert.deepEqual(toRequest(add, { name: "a", idempotencyKey: none }), { request })
  assert.deepEqual(toRequest(add, { name: "a", state: "b" }), {
    refusals: ["state is not an argument of this tool"],
  })
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
  const nothingNeeded = endpoint({ method: "PATCH", body: Type.Object({ a: Type.Optional(Type.String()) }) })
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

test("what a body lacks is left to the operation, which names it beside wrong values", () => {
  const { newUsername: _, ...others } = needed
  assert.deepEqual(toRequest(endpoint({ method: "POST", body: User }), { email: " " }), {
    request: { params: {}, query: {}, body: { email: " " } },
  })
  assert.deepEqual(toRequest(update, others), { refusals: ["newUsername is required"] })
})

test("a place in the body is that of an argument, by the name that the tool has for it", () => {
  const ofUpdate = ["/username", "/email", "/tags/0/id", "/other/a", ""].map((pointer) => argumentAt(update, pointer))
  assert.deepEqual(ofUpdate, ["newUsername", "email", "tags.0.id", "other.a", ""])
  const ofImport = ["/0/username", "/0", ""].map((pointer) => argumentAt(importAll, pointer))
  assert.deepEqual(ofImport, ["items.0.username", "items.0", "items"])
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
  assert.deepEqual(bodyOf(importAll, { body: "text" }), ["text"])
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
  for (const [name, text, value] of [
    ["tags", "1", ["1"]],
    ["tags", "[", ["["]],
    ["address", "[]", "[]"],
    ["address", "null", "null"],
    ["email", '{"a":1}', '{"a":1}'],
    ["email", "[]", "[]"],
    ["age", "9007199254740993", "9007199254740993"],
    ["age", "x", "x"],
    ["isNew", "yes", "yes"],
  ] as const)
    assert.deepEqual(bodyOf(update, { ...needed, [name]: text }), { username: "c", [name]: value }, `${name} ${text}`)
})

test("a number, a truth value, one item and a name may be what they are in a text, at every depth", () => {
  for (const [name, given, value] of [
    ["age", "3", 3],
    ["age", "-1.5", -1.5],
    ["isNew", "true", true],
    ["isNew", "False", false],
    ["tags", { id: "7" }, [{ id: 7 }]],
    ["tags", '{"id":"7"}', [{ id: 7 }]],
    ["labels", "friendly", [{ name: "friendly" }]],
    ["labels", ["friendly"], [{ name: "friendly" }]],
    ["label", "Dogs", { name: "Dogs" }],
    ["photos", "a.jpg", ["a.jpg"]],
  ] as const)
    assert.deepEqual(bodyOf(update, { ...needed, [name]: given }), { username: "c", [name]: value }, `${name} ${given}`)
})

test("null and an empty text where there is no text are no value of what is optional; null stays where it is described", () => {
  const nothing = { notify: null, mode: "", email: null, tags: null, age: "", isNew: "", labels: "", label: "" }
  assert.deepEqual(toRequest(update, { ...needed, ...nothing }), {
    request: { params: { username: "a" }, query: { by: "b" }, body: { username: "c" } },
  })
  assert.deepEqual(bodyOf(update, { ...needed, address: null, email: "" }), { username: "c", address: null, email: "" })
  assert.deepEqual(bodyOf(importAll, { items: [{ username: "a", email: null, tags: [{ id: 1 }] }] }), [
    { username: "a", tags: [{ id: 1 }] },
  ])
  for (const id of [null, ""]) assert.deepEqual(toRequest(read, { id }), { refusals: ["id is required"] })
  assert.deepEqual(toRequest(update, { ...needed, newUsername: null }), { refusals: ["newUsername is required"] })
})

test("unknown members are refused at every depth, with the nearest name; at most ten reasons, none for a long name", () => {
  assert.deepEqual(toRequest(update, { ...needed, label: { nmae: "x" }, tags: [{ idd: 1 }] }), {
    refusals: [
      "label.nmae is not an argument of this tool; did you mean name?",
      "tags.0.idd is not an argument of this tool; did you mean id?",
    ],
  })
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`unknown${n}`, 1]))
  const { refusals = [] } = toRequest(update, { ...many, ...needed }) as { refusals?: string[] }
  assert.equal(refusals.length, 10)
  const long = toRequest(update, { ...needed, ["x".repeat(60_000)]: 1 })
  assert.deepEqual(long, { refusals: [`${"x".repeat(64)}… is not an argument of this tool`] })
})

test("half of a surrogate pair and a number that would be rounded are the caller's mistakes", () => {
  assert.deepEqual(toRequest(read, { id: "\ud800" }), { refusals: ["id contains half of a surrogate pair"] })
  assert.deepEqual(toRequest(update, { ...needed, tags: [{ id: Number.POSITIVE_INFINITY }] }), {
    refusals: ["tags.0.id is a number that cannot be represented exactly"],
  })
})
