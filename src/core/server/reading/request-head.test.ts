import assert from "node:assert/strict"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { test } from "node:test"
import { hasBody, requireHost } from "./request-head.ts"

const message = (parts: object) => Object.assign(new IncomingMessage(new Socket()), { httpVersion: "1.1", ...parts })

test("a Host is a host and a port by RFC 3986", () => {
  const received = (host: string) => () => requireHost(message({ rawHeaders: ["Host", host] }))
  const valid = [
    "",
    "a",
    "a:",
    "a:8080",
    "a_b.example.",
    "192.0.2.1",
    "[::1]:80",
    "[v1.a:b]",
    "%C3%A9",
    "a!$&'()*+,;=~",
  ]
  for (const host of valid) received(host)()
  const detail = "The header Host is not a host and a port (RFC 3986 section 3.2)"
  for (const host of [
    "u:p@x",
    "[::1",
    "[1.2.3.4]",
    "[fe80::1%a]",
    "a b",
    "%",
    "%zz",
    "a:b",
    "x/s/a",
    "x?",
    "x#",
    "é",
    "a:1:2",
  ])
    assert.throws(received(host), { code: "malformed-request", detail }, host)
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
