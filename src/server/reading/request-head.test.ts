import assert from "node:assert/strict"
import type { IncomingMessage } from "node:http"
import { test } from "node:test"
import { hasBody, requireOneHost, requirePercentEncoding } from "./request-head.ts"

const message = (parts: object) =>
  ({ rawHeaders: [], headers: {}, httpVersion: "1.1", ...parts }) as unknown as IncomingMessage

test("a request has one Host; one of HTTP/1.0 may have none", () => {
  const hosts =
    (rawHeaders: string[], httpVersion = "1.1") =>
    () =>
      requireOneHost(message({ rawHeaders, httpVersion }))
  hosts(["Accept", "host", "HOST", "a"])()
  hosts(["Accept", "Host"], "1.0")()
  hosts(["X-Host", "a", "Hosts", "b", "Hist", "c", "Host", "d"])()
  const missing = { code: "malformed-request", detail: "The header Host is missing" }
  const repeated = { code: "malformed-request", detail: "The header Host appears more than once" }
  assert.throws(hosts([]), missing)
  assert.throws(hosts(["Accept", "host", "Last", "a"]), missing)
  assert.throws(hosts(["Host", "a", "host", "a"]), repeated)
  assert.throws(hosts(["Host", "a", "Accept", "b", "host", "a"], "1.0"), repeated)
})

test("an address is percent-encoded UTF-8", () => {
  for (const url of ["/a", "/%C3%A9?a=%25", undefined]) requirePercentEncoding(message({ url }))
  for (const url of ["/%", "/%E9", "/a?b=%zz"])
    assert.throws(() => requirePercentEncoding(message({ url })), {
      code: "malformed-request",
      detail: "The address is not correctly percent-encoded UTF-8",
    })
})

test("a request has a body if it says how long it is, or is sent in chunks", () => {
  for (const [headers, has] of [
    [{}, false],
    [{ "content-length": "0" }, false],
    [{ "content-length": "1" }, true],
    [{ "transfer-encoding": "chunked" }, true],
  ] as const)
    assert.equal(hasBody(message({ headers })), has)
})
