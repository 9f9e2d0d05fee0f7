import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../../test/harness/exchange.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { encodeCursor } from "../../kernel/endpoint/page.ts"
import type { Json } from "../../kernel/json/json.ts"
import { jsonResponse } from "./json-response.ts"

const respond = jsonResponse({ status: 200, cacheControl: "no-store", publicUrl: () => "https://petstore.example" })
const page = new JsonResponse("[]" as Json<[]>, { next: 7 })
const cursor = `cursor=${encodeCursor({ sort: "-id", id: 7 })}`

const linkOf = (query: string): string => {
  const { headers } = respond(exchangeOf(`/api/v3/pet?${query}`), page)
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
