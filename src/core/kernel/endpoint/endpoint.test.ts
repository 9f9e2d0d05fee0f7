import assert from "node:assert/strict"
import { test } from "node:test"
import { checkOf } from "../schema/check.ts"
import { Type } from "../schema/type.ts"
import { bodyBytesMaxOf, type Endpoint, queryOf, takesJson } from "./endpoint.ts"

const endpointOf = (more: Partial<Endpoint>) => ({ method: "GET", scope: "any", ...more }) as Endpoint

test("a body has up to 64 KiB, 16 KiB of anonymous clients, or what the operation says", () => {
  assert.equal(bodyBytesMaxOf(endpointOf({})), 65_536)
  assert.equal(bodyBytesMaxOf(endpointOf({ scope: "open" })), 16_384)
  assert.equal(bodyBytesMaxOf(endpointOf({ scope: "open", bodyBytesMax: 5 })), 5)
})

test("a body may be JSON unless it is a form or there is none", () => {
  const body = Type.Object({})
  for (const [more, takes] of [
    [{}, false],
    [{ body }, true],
    [{ body, consumes: ["application/x-www-form-urlencoded"] }, false],
    [{ body, consumes: ["multipart/form-data", "application/merge-patch+json"] }, true],
    [{ body, consumes: ["application/x-ndjson"] }, false],
    [{ consumes: ["application/json"] }, false],
  ] as const)
    assert.equal(takesJson(endpointOf(more as Partial<Endpoint>)), takes)
})

const violationsOf = (endpoint: Endpoint, query: object) => checkOf(queryOf(endpoint))(query).length

test("a list has a limit of 1 to 1000, 100 by default, and a cursor", () => {
  const paged = endpointOf({ paged: true, query: Type.Object({ name: Type.String() }) })
  const query = { name: "a" }
  assert.equal(violationsOf(paged, query), 0)
  assert.deepEqual(query, { name: "a", limit: 100 })
  for (const limit of [1, 1000]) assert.equal(violationsOf(paged, { name: "a", limit }), 0)
  for (const limit of [0, 1001]) assert.equal(violationsOf(paged, { name: "a", limit }), 1)
  assert.deepEqual(Object.keys(queryOf(paged).properties), ["name", "limit", "cursor"])
  assert.deepEqual(Object.keys(queryOf(endpointOf({})).properties), [])
})

test("a list with orders takes one of them, and where it may be by name, longer cursors", () => {
  const [byId, byName] = [
    endpointOf({ paged: true, sorts: ["-id", "id"] }),
    endpointOf({ paged: true, sorts: ["id", "name"] }),
  ]
  assert.equal(violationsOf(byId, { sort: "id" }), 0)
  assert.equal(violationsOf(byId, { sort: "name" }), 1)
  const cursor = (length: number) => ({ cursor: "x".repeat(length) })
  assert.deepEqual([violationsOf(byId, cursor(64)), violationsOf(byId, cursor(65))], [0, 1])
  assert.deepEqual([violationsOf(byName, cursor(1_500)), violationsOf(byName, cursor(1_501))], [0, 1])
})
