import assert from "node:assert/strict"
import { Socket } from "node:net"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { LateBreakage } from "../../domain/sandbox/faults/contract.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { breakResponse, failEarly } from "./break-response.ts"

const body = "0123456789"
const sound: HttpResponse = { status: 201, headers: ["etag", "a"], body }

function broken(breakage: LateBreakage, response: HttpResponse = sound, method = "GET") {
  const exchange = exchangeOf("/api/v3/pet", { method })
  const pauses: number[] = []
  const written = breakResponse(exchange, response, breakage, async (_, ms) => void pauses.push(ms))
  return { written, exchange, pauses }
}
const contentOf = ({ written }: ReturnType<typeof broken>) =>
  written?.body instanceof Readable ? text(written.body).catch(({ code }: { code: string }) => code) : written?.body

test("before the operation, a proxy responds, or the connection is closed and the log has a 503", () => {
  const html = exchangeOf("/")
  const response = failEarly(html, "html")
  assert.deepEqual([response?.status, response?.headers], [502, ["content-type", "text/html; charset=utf-8"]])
  assert.equal(html.response.destroyed, false)
  for (const breakage of ["drop", "reset"] as const) {
    const exchange = exchangeOf("/")
    const socket = new Socket()
    let resets = 0
    socket.resetAndDestroy = () => {
      resets++
      return socket
    }
    exchange.response.assignSocket(socket)
    assert.equal(failEarly(exchange, breakage), undefined)
    assert.deepEqual([exchange.response.statusCode, exchange.response.destroyed], [503, true])
    assert.deepEqual([resets, socket.destroyed], [Number(breakage === "reset"), true])
  }
})

test("a lost response is logged with its status and body", () => {
  const { written, exchange } = broken("lose")
  assert.deepEqual([written, exchange.response.statusCode, exchange.response.destroyed], [undefined, 201, true])
  assert.equal(exchange.sent, body)
})

test("a response arrives in part, in pieces, or not as JSON", async () => {
  const headers = ["etag", "a", "content-length", "10"]
  for (const [breakage, content] of [
    ["slow", body],
    ["truncate", "ECONNRESET"],
    ["empty", "ECONNRESET"],
  ] as const) {
    const one = broken(breakage)
    const stream = one.written?.body
    assert.ok(stream instanceof Readable && !stream.readableObjectMode, "a stream of bytes")
    assert.deepEqual(
      [one.written?.status, one.written?.headers, await contentOf(one)],
      [201, headers, content],
      breakage,
    )
    assert.equal(one.pauses.length, breakage === "slow" ? 9 : 1)
  }
  const garbage = broken("garbage")
  assert.deepEqual([garbage.written?.status, garbage.written?.headers], [200, ["content-type", "application/json"]])
  assert.throws(() => JSON.parse(String(garbage.written?.body)))
  assert.equal(garbage.exchange.sent, body)
})

test("a response without a body, to HEAD or as a stream is sent as it is", () => {
  const bare: HttpResponse = { status: 304, headers: [], body: undefined }
  assert.equal(broken("truncate", bare).written, bare)
  assert.equal(broken("truncate", sound, "HEAD").written, sound)
  const stream: HttpResponse = { ...sound, body: Readable.from(["a"]) }
  const { written, exchange } = broken("truncate", stream)
  assert.deepEqual([written === stream, exchange.sent], [true, undefined])
})
