import assert from "node:assert/strict"
import { EventEmitter } from "node:events"
import type { IncomingMessage, Server } from "node:http"
import { test } from "node:test"
import { awaitsContinue, sendContinue, takeContinueRequests } from "./expect-continue.ts"

const requestOf = (headers: object) => ({ headers }) as IncomingMessage

test("a request that expects 100 Continue is handled like any other, and asked for its body once", () => {
  const server = new EventEmitter()
  takeContinueRequests(server as unknown as Server)
  let sent = 0
  const response = { writeContinue: () => sent++ }
  const request = requestOf({ expect: "100-continue" })
  const handled: unknown[] = []
  server.on("request", (...arrived) => handled.push(...arrived))
  server.emit("checkContinue", request, response)
  assert.deepEqual([handled[0] === request, handled[1] === response], [true, true])

  assert.deepEqual([awaitsContinue(request), sent], [true, 0])
  sendContinue(request)
  assert.deepEqual([awaitsContinue(request), sent], [false, 1])
  sendContinue(request)
  assert.equal(sent, 1)
})

test("other requests are not asked for their bodies", () => {
  for (const headers of [{}, { expect: "something" }]) {
    sendContinue(requestOf(headers))
    assert.equal(awaitsContinue(requestOf(headers)), false)
  }
})
