import assert from "node:assert/strict"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { Exchange, type HttpRoute, type Mount } from "./exchange/exchange.ts"
import { createRouter } from "./exchange/router.ts"
import { innerSender } from "./inner-requests.ts"
import type { PipelineParts } from "./pipeline/pipeline.ts"

const mount: Mount = { prefix: "", logged: "", observe: () => undefined }
const headers = {
  host: "a.example",
  api_key: "key",
  authorization: "token",
  "petstore-account": "3",
  "x-forwarded-for": "192.0.2.7",
  "user-agent": "tool",
  traceparent: "trace",
  tracestate: "state",
  prefer: "explain",
  "idempotency-key": "once",
}

/** Sends an inner request that a route handles; what the route received, the response and what was recorded. */
async function send(handle: HttpRoute["handle"], body?: string | Uint8Array, beforeHead?: Mount["beforeHead"]) {
  const router = createRouter()
  const recorded: Exchange[] = []
  router.add(["POST"], "/a", { admission: "operation", handle })
  const sendInner = innerSender({
    router,
    mount: { ...mount, ...(beforeHead && { beforeHead }) },
    enterMount: () => undefined,
    addressOf: ({ headers }: IncomingMessage) => String(headers["x-forwarded-for"]),
    limitAddress: () => undefined,
    requireCapacity: () => undefined,
    guardAdministration: () => undefined,
    watchBody: () => assert.fail("the body is here already"),
    respondNotFound: () => ({ status: 404, headers: [], body: undefined }),
    respondToError: (_, error) => ({ status: 500, headers: [], body: `${error}` }),
    write: () => assert.fail("there is no connection"),
    record: (exchange) => recorded.push(exchange),
  } satisfies PipelineParts)
  const request = { method: "POST", url: "/mcp", headers: { ...headers, cookie: "secret" }, socket: {} }
  const outer = new Exchange(request as unknown as IncomingMessage, {} as ServerResponse, "r1", "192.0.2.7", mount)
  const response = await sendInner(outer, "http://localhost/a?b=c", { method: "POST", headers: { accept: "x" }, body })
  return { response, recorded, outer }
}

test("an inner request has the caller, the id and the connection of the outer one, and its own body", async () => {
  for (const [body, length] of [
    ["é", "2"],
    [Buffer.from("ab"), "2"],
    ["a", "1"],
    [undefined, "0"],
  ] as const) {
    let received = ""
    const { response, recorded, outer } = await send(async ({ request }) => {
      received = await text(request)
      return { status: 201, headers: ["etag", '"1"'], body: "done" }
    }, body)
    assert.deepEqual([response.status, response.headers.get("etag"), await response.text()], [201, '"1"', "done"])
    assert.deepEqual([...response.headers.keys()], ["content-type", "etag"])
    const [exchange] = recorded
    assert.equal(received, `${body ?? ""}`)
    assert.deepEqual(
      [
        exchange?.id,
        exchange?.method,
        exchange?.path,
        exchange?.query,
        exchange?.address,
        exchange?.response === outer.response,
      ],
      ["r1", "POST", "/a", "b=c", "192.0.2.7", true],
    )
    const own = { ...headers, accept: "x", "x-request-id": "r1", "content-length": length }
    assert.deepEqual([exchange?.request.headers, exchange?.request.complete], [own, true])
    assert.deepEqual(exchange?.request.rawHeaders.slice(0, 2), ["host", "a.example"])
    assert.deepEqual([exchange?.status, exchange?.head, exchange?.sent], [201, ["etag", '"1"'], "done"])
  }
})

test("a response may be a stream, and has the headers that the mount and the operation add", async () => {
  const { response, recorded } = await send(
    (exchange) => {
      exchange.header("link", "a")
      return { status: 200, headers: [], body: Readable.from(["b", "c"]) }
    },
    "",
    (exchange) => exchange.header("x-own", "d"),
  )
  assert.deepEqual([response.headers.get("link"), response.headers.get("x-own")], ["a", "d"])
  assert.deepEqual([await response.text(), recorded[0]?.sent], ["bc", undefined])
})

test("a failure is the response of the service", async () => {
  const { response } = await send(() => {
    throw new Error("x")
  })
  assert.deepEqual([response.status, await response.text()], [500, "Error: x"])
})
