import assert from "node:assert/strict"
import { test } from "node:test"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { json } from "../../kernel/json/json.ts"
import { Type } from "../../kernel/schema/type.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { xmlResponse } from "./xml-response.ts"

const Pet = Type.Object({ id: Type.Integer(), name: Type.String() }, { xml: { name: "pet" } })
const Pets = Type.Array(Pet, { xml: { name: "pets" } })
const open = '<?xml version="1.0" encoding="UTF-8"?>\n'
const exchange = {} as Exchange

/** Responds in XML, and says which tag, next page and headers the JSON response would have. */
function respond(endpoint: Partial<Endpoint>, result: JsonResponse<unknown>, body: string | undefined = "json") {
  const made: JsonResponse<unknown>[] = []
  const inJson = (_: Exchange, one: JsonResponse<unknown>) => {
    made.push(one)
    return { status: 200, headers: ["link", "content-type", "content-type", "application/json"], body }
  }
  const response = xmlResponse({ response: Pet, ...endpoint } as Endpoint, inJson)(exchange, result)
  return { response, made }
}

test("a value has the content type and an entity tag of its own in XML", async () => {
  const { response, made } = respond(
    {},
    new JsonResponse(json({ id: 1, name: "a" }), { etag: '"1"', headers: { a: "b" } }),
  )
  assert.deepEqual(await response, {
    status: 200,
    headers: ["link", "content-type", "content-type", "application/xml; charset=utf-8"],
    body: `${open}<pet><id>1</id><name>a</name></pet>`,
  })
  assert.deepEqual([made[0]?.etag, made[0]?.headers, made[0]?.next], ['"1.xml"', { a: "b" }, undefined])
  assert.equal(respond({}, new JsonResponse(json({ id: 1, name: "a" }))).made[0]?.etag, undefined)
})

test("a response without a body stays one", async () => {
  const { response } = respond({}, new JsonResponse(json({ id: 1, name: "a" })), "")
  assert.equal((await response).body, `${open}<pet><id>1</id><name>a</name></pet>`)
  const unchanged = xmlResponse({ response: Pet } as unknown as Endpoint, () => ({
    status: 304,
    headers: ["etag", "1"],
    body: undefined,
  }))
  assert.deepEqual(await unchanged(exchange, new JsonResponse(json({ id: 1 }))), {
    status: 304,
    headers: ["etag", "1"],
    body: undefined,
  })
})

test("a list has the next page of JSON; one that is too large for a page ends earlier, and is then continued behind its last item", async () => {
  const list = (ids: readonly number[], name = "a") => json(ids.map((id) => ({ id, name })))
  const short = respond({ response: Pets, paged: true }, new JsonResponse(list([9, 8]), { next: 8 }))
  assert.match((await short.response).body as string, /^<.*\n<pets><pet><id>9<\/id>.*<id>8<\/id>.*<\/pets>$/)
  assert.equal(short.made[0]?.next, 8)

  const name = "x".repeat(400_000)
  const long = respond({ response: Pets, paged: true }, new JsonResponse(list([9, 8, 7, 6], name), { next: 6 }))
  assert.doesNotMatch((await long.response).body as string, /<id>7/)
  assert.equal(long.made[0]?.next, 8)

  const whole = respond({ response: Pets }, new JsonResponse(list([9, 8, 7, 6], name)))
  assert.match((await whole.response).body as string, /<id>6/)
  assert.equal(whole.made[0]?.next, undefined)
})
