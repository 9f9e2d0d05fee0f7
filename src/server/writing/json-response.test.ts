import assert from "node:assert/strict"
import { test } from "node:test"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { encodeCursor } from "../../kernel/endpoint/page.ts"
import type { Json } from "../../kernel/json/json.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { jsonResponse } from "./json-response.ts"

const respond = jsonResponse({ status: 200, cacheControl: "no-store", publicUrl: () => "https://petstore.example" })
const page = new JsonResponse("[]" as Json<[]>, { next: 7 })
const cursor = `cursor=${encodeCursor({ sort: "-id", id: 7 })}`

const linkOf = (query: string): string => {
  const exchange = { method: "GET", path: "/api/v3/pet", query, request: { headers: {} } } as unknown as Exchange
  const { headers } = respond(exchange, page)
  return headers[headers.indexOf("link") + 1] as string
}

for (const { query, next } of [
  { query: "", next: "" },
  { query: "status=available&limit=2", next: "status=available&limit=2&" },
  { query: "status=available,sold&tags=a%2Cb", next: "status=available,sold&tags=a%2Cb&" },
  { query: "cursor=old&limit=2", next: "limit=2&" },
  { query: "limit=2&%63ursor=old&cursor=older&&cursor", next: "limit=2&" },
  { query: "name=%23#1", next: "name=%23%231&" },
  { query: 'name=">\xe9|x', next: "name=%22%3E%C3%A9%7Cx&" },
])
  test(`the next page of ?${query} has the same query with another cursor, in URI characters`, () => {
    for (let n = 0; n < 2; n++)
      assert.equal(linkOf(query), `<https://petstore.example/api/v3/pet?${next}${cursor}>; rel="next"`)
  })

const exchangeOf = (method: string, headers: object = {}) =>
  ({ method, request: { headers }, outside: (path: string) => `/s/a${path}` }) as unknown as Exchange
const pet = new JsonResponse("{}" as Json<object>, { etag: '"1"' })
const common = ["cache-control", "no-store"]

test("a response has its headers by lower-case names, and a location of its own mount", () => {
  const headers = { "Total-Count": "/1", location: "https://b.example" }
  assert.deepEqual(respond(exchangeOf("POST"), new JsonResponse("{}" as Json<object>, { headers })), {
    status: 200,
    headers: [...common, "total-count", "/1", "location", "https://b.example", "content-type", "application/json"],
    body: "{}",
  })
  const created = respond(exchangeOf("POST"), new JsonResponse("{}" as Json<object>, { headers: { location: "/b" } }))
  assert.deepEqual(created.headers.slice(2, 4), ["location", "/s/a/b"])
})

test("a read is refused unless If-Match lists the tag, and has no body when the client knows it; a change is neither", () => {
  const whole = { status: 200, headers: [...common, "etag", '"1"', "content-type", "application/json"], body: "{}" }
  for (const method of ["GET", "HEAD"]) {
    assert.deepEqual(respond(exchangeOf(method), pet), whole)
    assert.deepEqual(respond(exchangeOf(method, { "if-match": '"1"', "if-none-match": '"2"' }), pet), whole)
    assert.throws(() => respond(exchangeOf(method, { "if-match": '"2"' }), pet), { code: "precondition-failed" })
    assert.deepEqual(respond(exchangeOf(method, { "if-none-match": '"1"' }), pet), {
      status: 304,
      headers: [...common, "etag", '"1"'],
      body: undefined,
    })
  }
  for (const headers of [{ "if-match": '"2"' }, { "if-none-match": '"1"' }])
    assert.deepEqual(respond(exchangeOf("PUT", headers), pet), whole)
})
