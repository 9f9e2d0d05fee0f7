import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "../exchange/exchange.ts"
import { respondToOtherMethod } from "./other-methods.ts"

const respond = (method: string, headers: object = {}) =>
  respondToOtherMethod({
    method,
    path: "/a",
    request: { headers },
    resource: { allow: "GET, HEAD" },
  } as unknown as Exchange)

test("a method that a path lacks is refused with those it has", () => {
  assert.throws(() => respond("PUT"), {
    code: "method-not-allowed",
    detail: "/a supports GET, HEAD, not PUT",
    headers: { allow: "GET, HEAD" },
  })
})

test("a preflight lists the methods, and permits the headers that it asks about, or all", () => {
  const permitting = (headers: string) => ({
    status: 204,
    headers: [
      ...["allow", "GET, HEAD", "access-control-allow-methods", "GET, HEAD"],
      ...["access-control-allow-headers", headers, "access-control-max-age", "86400"],
    ],
    body: undefined,
  })
  assert.deepEqual(respond("OPTIONS"), permitting("*"))
  assert.deepEqual(respond("OPTIONS", { "access-control-request-headers": "api_key" }), permitting("api_key"))
})
