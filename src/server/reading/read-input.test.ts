import assert from "node:assert/strict"
import type { IncomingHttpHeaders } from "node:http"
import { test } from "node:test"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { encodeCursor } from "../../kernel/endpoint/page.ts"
import { Type } from "../../kernel/schema/type.ts"
import { inputReader } from "./read-input.ts"

const json = { "content-type": "application/json" }
const Pet = Type.Object({ name: Type.String(), id: Type.Optional(Type.Integer()) })

const readerOf = (more: Partial<Endpoint>) =>
  inputReader({ method: "POST", path: "/a", response: Type.String(), ...more } as Endpoint)
const bodyOf = (more: Partial<Endpoint>, text: string, headers: IncomingHttpHeaders = json) =>
  readerOf(more).readBody(Buffer.from(text), headers)
const pageOf = (more: Partial<Endpoint>, query: string) => readerOf(more).readParameters({ params: {}, query })

test("the parameters of the path and the query are read, without a page where there is none", () => {
  const reader = readerOf({
    params: Type.Object({ id: Type.Integer() }),
    query: Type.Object({ name: Type.String() }),
  })
  assert.deepEqual(reader.readParameters({ params: { id: "1" }, query: "name=a+b&other=1" }), {
    params: { id: 1 },
    query: { name: "a b" },
    page: undefined,
  })
  assert.throws(() => reader.readParameters({ params: { id: "1" }, query: "" }), { code: "invalid-parameter" })
})

test("more than a thousand parameters are read", () => {
  const query = Type.Object({ last: Type.Optional(Type.String()) })
  assert.deepEqual(pageOf({ query }, `${"a=1&".repeat(2_000)}last=x`).query, { last: "x" })
})

test("a page starts below the id of its cursor, and in a list of several orders after its item", () => {
  const before = encodeCursor({ sort: "-id", id: 7 })
  const byName = { sort: "name", id: 7, key: "rex" } as const
  assert.deepEqual(pageOf({ paged: true }, "").page, { limit: 100, before: undefined })
  assert.deepEqual(pageOf({ paged: true }, `limit=5&cursor=${before}`).page, { limit: 5, before: 7 })
  const sorted = { paged: true, sorts: ["-id", "name"] } as const
  assert.deepEqual(pageOf(sorted, "").page, { limit: 100, sort: undefined, cursor: undefined })
  assert.deepEqual(pageOf(sorted, `sort=name&cursor=${encodeCursor(byName)}`).page, {
    limit: 100,
    sort: "name",
    cursor: byName,
  })
})

test("a cursor of no page, or of an order that the list does not have, is refused", () => {
  const byName = encodeCursor({ sort: "name", id: 7, key: "rex" })
  for (const [more, cursor] of [
    [{ paged: true }, "abc"],
    [{ paged: true }, byName],
    [{ paged: true }, encodeCursor({ sort: "id", id: 7 })],
    [{ paged: true, sorts: ["-id"] }, byName],
  ] as const)
    assert.throws(() => pageOf(more, `cursor=${cursor}`), {
      code: "invalid-parameter",
      detail: /cursor must come from/,
    })
})

test("the query of a page, which requests share, cannot be changed", () => {
  const query = Type.Object({ tags: Type.Array(Type.String()) })
  const reader = readerOf({ paged: true, query })
  const read = () => reader.readParameters({ params: {}, query: "tags=a" })
  const { query: shared, page } = read()
  assert.equal(read().query, shared)
  for (const part of [shared, page, ...Object.values(shared)]) assert.ok(Object.isFrozen(part))
  const other = readerOf({ query }).readParameters({ params: {}, query: "tags=a" })
  assert.ok(!Object.isFrozen(other.query))
})

test("an operation without a body reads none", () => assert.equal(bodyOf({}, "{"), undefined))

test("a body is read as its media type says", async () => {
  const consumes = [
    "application/json",
    "application/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/merge-patch+json",
  ]
  for (const [type, text] of [
    ["application/json", '{"name":"a","id":1}'],
    ["application/merge-patch+json", '{"name":"a","id":1}'],
    ["application/xml", "<Pet><id>1</id><name>a</name></Pet>"],
    ["application/x-www-form-urlencoded", "name=a&id=1"],
    [
      "multipart/form-data; boundary=b",
      ["name", "a", "id", "1"]
        .map((text, n) =>
          n % 2 === 0 ? `--b\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n` : `${text}\r\n`,
        )
        .concat("--b--\r\n")
        .join(""),
    ],
  ] as const)
    assert.deepEqual(
      await bodyOf({ body: { ...Pet, xml: { name: "Pet" } } as typeof Pet, consumes }, text, { "content-type": type }),
      { name: "a", id: 1 },
      type,
    )
  await assert.rejects(async () => bodyOf({ body: Pet, consumes }, "<a/>", { "content-type": "application/xml" }), {
    code: "invalid-body",
  })
})

test("an optional member may be null, except in a merge patch", () => {
  assert.deepEqual(bodyOf({ body: Pet }, '{"name":"a","id":null}'), { name: "a" })
  assert.throws(() => bodyOf({ method: "PATCH", body: Pet }, '{"name":"a","id":null}'), { code: "invalid-body" })
})

test("a body may be empty only where it is optional, and there also be an empty object", () => {
  const body = Type.Optional(Type.Object({ name: Type.Optional(Type.String()) }))
  for (const text of ["", "{}", " { } "]) assert.equal(bodyOf({ body }, text), undefined)
  assert.equal(bodyOf({ body }, "", {}), undefined)
  assert.deepEqual(bodyOf({ body }, '{"name":"a"}'), { name: "a" })
  assert.throws(() => bodyOf({ body }, "{}", { "content-type": "text/plain" }), { code: "unsupported-media-type" })
  const empty = { code: "malformed-json", detail: "The body is empty" }
  assert.throws(() => bodyOf({ body: Pet }, ""), empty)
  assert.throws(() => bodyOf({ body: Pet }, "", {}), empty)
  assert.throws(() => bodyOf({ body: Pet, classicValues: true }, ""), empty)
  assert.throws(() => bodyOf({ body: Pet, classicValues: true }, "", {}), { code: "unsupported-media-type" })
})

test("values may have classic forms only where the operation takes them", () => {
  assert.deepEqual(bodyOf({ body: Pet, classicValues: true }, '{"name":"a","id":"1"}'), { name: "a", id: 1 })
  assert.throws(() => bodyOf({ body: Pet }, '{"name":"a","id":"1"}'), { code: "invalid-body" })
})

test("unknown members are ignored, and refused for a strict request", () => {
  const text = '{"name":"a","other":1}'
  assert.deepEqual(bodyOf({ body: Pet }, text), { name: "a", other: 1 })
  const reader = readerOf({ body: Pet })
  for (let n = 0; n < 2; n++)
    assert.throws(() => reader.readBody(Buffer.from(text), { ...json, prefer: "handling=strict" }), {
      code: "invalid-body",
      violations: [{ pointer: "/other", code: "unknown", detail: "is not a member" }],
    })
})

test("a violation may have a problem of its own, the first that has one", () => {
  const body = Type.Object({ a: Type.String(), b: Type.String(), c: Type.String() })
  const bodyProblems = { "/b": "wrong-b", "/c": "wrong-c" }
  assert.throws(() => bodyOf({ body, bodyProblems }, '{"a":1,"b":1,"c":1}'), { code: "wrong-b" })
  assert.throws(() => bodyOf({ body, bodyProblems }, '{"a":1,"b":"","c":""}'), { code: "invalid-body" })
})

test("the items of an itemwise body are judged each alone", async () => {
  const body = Type.Array(Pet, { maxItems: 3 })
  const items = (await bodyOf({ body, itemwise: true }, '[{"name":"a"},{}]')) as unknown[]
  assert.deepEqual(items[0], { name: "a" })
  assert.equal((items[1] as { code: string }).code, "invalid-body")
  assert.throws(() => bodyOf({ body }, '[{"name":"a"},{}]'), { code: "invalid-body" })
})
