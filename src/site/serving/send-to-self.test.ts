import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { sendToSelf } from "./send-to-self.ts"

test("a request is sent to the address that received one, until its response has ended or the connection is lost", async () => {
  const received: unknown[] = []
  let sentAll = false
  const server = createServer(async (request: IncomingMessage, response) => {
    const { method, url, headers } = request
    received.push([method, url, headers.host, headers["x-a"], await text(request)])
    if (url === "/lost") return request.socket.destroy()
    response.write("a".repeat(100_000))
    setImmediate(() => {
      sentAll = true
      response.end()
    })
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { address: localAddress, port: localPort } = server.address() as AddressInfo
  const exchange = { request: { socket: { localAddress, localPort }, headers: { host: "pets.example" } } }
  const send = (path: string, body: string | undefined) =>
    sendToSelf(exchange as unknown as Exchange, { method: "PUT", path, headers: { host: "x", "x-a": "b" }, body })
  await send("/whole", "body")
  assert.equal(sentAll, true)
  await send("/lost", undefined)
  server.close()
  await send("/closed", undefined)
  assert.deepEqual(received, [
    ["PUT", "/whole", "pets.example", "b", "body"],
    ["PUT", "/lost", "pets.example", "b", ""],
  ])
})
