import assert from "node:assert/strict"
import { test } from "node:test"
import { plainEndpoint } from "../../../../test/harness/endpoint.ts"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import { Type } from "../../kernel/schema/type.ts"
import { cacheControlOf, responder } from "./respond.ts"

const endpoint: Endpoint = {
  ...plainEndpoint,
  method: "POST",
  command: "pets add",
  response: Type.Object({ id: Type.Integer() }),
}

async function respond(more: Partial<Endpoint>, value: unknown, { isReplayed = false } = {}) {
  const held: number[] = []
  const unread = { hold: (_: unknown, bytes: number) => void held.push(bytes) }
  const exchange = exchangeOf("/api/v3/pet")
  const write = responder({ ...endpoint, ...more }, () => "https://a.example", unread)
  const { status, body } = await write(exchange, new JsonResponse(json(value), { isReplayed }))
  return { status, body, created: exchange.created, headers: exchange.headers, held }
}

test("a created resource is noted by its id", async () => {
  const created = async (more: Partial<Endpoint>, value: unknown = { id: 5, name: "a" }) =>
    (await respond(more, value)).created
  assert.equal(await created({}), "5")
  assert.equal(await created({}, { id: "ab" }), '"ab"')
  assert.equal(await created({}, { name: "a", id: 5 }), undefined)
  assert.equal(await created({ status: 201, params: Type.Object({}) }), "5")
  assert.equal(await created({ params: Type.Object({}) }), undefined)
  assert.equal(await created({ method: "PUT" }), undefined)
  assert.equal(await created({ response: Type.Array(Type.Object({})) }), undefined)
  const { created: again, headers } = await respond({}, { id: 5 }, { isReplayed: true })
  assert.deepEqual([again, headers], [undefined, ["idempotency-replayed", "true"]])
})

test("a long response is charged before it is written", async () => {
  const { status, body, held } = await respond({ status: 201 }, { id: 1 })
  assert.deepEqual([status, body, held], [201, '{"id":1}', []])
  const long = await respond({}, { id: 1, text: "a".repeat(1_000_000) })
  assert.deepEqual(long.held, [1_000_018])
})

test("only reads of versions may be kept by the client, which asks before it uses them", () => {
  assert.equal(cacheControlOf({ ...endpoint, method: "GET", conditional: true }), "private, no-cache")
  assert.equal(cacheControlOf({ ...endpoint, method: "GET" }), "no-store")
  assert.equal(cacheControlOf({ ...endpoint, conditional: true }), "no-store")
})
