import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { Readable } from "node:stream"
import { test } from "node:test"
import { Exchange, type Mount } from "../exchange/exchange.ts"
import { unreadBudgetsFor } from "../limits/unread-budgets.ts"
import { unreadResponses } from "../limits/unread-responses.ts"
import { responseWriter } from "./write-response.ts"

const mount: Mount = { prefix: "", logged: "", observe: () => {} }

test("a body is released even if its client has disconnected before the first byte", async () => {
  const unread = unreadResponses(unreadBudgetsFor(0), () => 0)
  const write = responseWriter({ isSecure: () => false, isDraining: () => false }, unread)
  const server = createServer()
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
  const [request, response] = await once(server, "request")
  client.destroy()
  await once(response, "close")

  const body = new Readable({ read: () => {} })
  write(new Exchange(request, response, "1", "127.0.0.1", mount), { status: 200, headers: [], body })
  await once(body, "close")
  assert.ok(body.destroyed)
  server.close()
})
