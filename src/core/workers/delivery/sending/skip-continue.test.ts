import assert from "node:assert/strict"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { test } from "node:test"
import { systemClock } from "../../../kernel/clock.ts"
import { addressGuard, allowAddresses, RefusedAddress } from "./address-guard.ts"
import { guardedFetch } from "./guarded-fetch.ts"
import { openWebhookSender } from "./send.ts"

const guard = addressGuard(allowAddresses(true, true, []), async () => [])
const head = (status: number) => `HTTP/1.1 ${status} Wait\r\nServer: x\r\n\r\n`
const body = "HTTP/1.1 100 in a body"
const response = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const interims = [[100], [102], [103], [100, 100, 100], [103, 100, 102, 100], []]

/** Sends these texts for each request, each when the one before has been sent. */
async function startServer(texts: readonly string[]) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay())
    socket.on("data", async (data: Buffer) => {
      if (!/\{\}$|^GET .*\r\n\r\n$/s.test(data.toString())) return
      for (const text of texts) {
        await new Promise((resolve) => socket.write(text, resolve))
        await new Promise(setImmediate)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sockets,
    [Symbol.asyncDispose]: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

for (const statuses of interims) {
  const whole = statuses.map(head).join("") + response
  for (const [how, texts] of [
    ["at once", [whole]],
    ["apart", [...statuses.map(head), response]],
    ["byte by byte", [...whole]],
  ] as const)
    test(`a response after ${statuses.join(", ") || "no interim response"}, sent ${how}, is that of a message and of a document`, async () => {
      await using server = await startServer(texts)
      const sender = openWebhookSender(guard, systemClock, { connectMs: 5_000, attemptMs: 10_000 })
      const message = { url: server.url, headers: {}, body: "{}" }
      for (let n = 0; n < 2; n++) {
        const { status, error, response } = await sender.post(message, new AbortController().signal)
        assert.deepEqual({ status, error, response }, { status: 200, error: undefined, response: body })
      }
      await sender.close()
      const document = await guardedFetch(guard)(server.url, {
        headers: new Headers(),
        signal: AbortSignal.timeout(5_000),
      })
      assert.equal(await document.text(), body)
    })
}

test("interim responses without end are a failure, and the address of the connection is checked as before (slow)", async () => {
  await using server = await startServer([`HTTP/1.1 100 ${"x".repeat(40_000)}`])
  const sender = openWebhookSender(guard, systemClock, { connectMs: 5_000, attemptMs: 1_000 })
  const message = { url: server.url, headers: {}, body: "{}" }
  const { status, error } = await sender.post(message, new AbortController().signal)
  assert.equal(status, undefined)
  assert.ok(error)
  await sender.close()
  const forbidden = guardedFetch(addressGuard(allowAddresses(false, true, []), async () => []))
  await assert.rejects(
    forbidden(server.url.replace("http:", "https:"), { headers: new Headers(), signal: AbortSignal.timeout(5_000) }),
    (error: Error) => error.cause instanceof RefusedAddress,
  )
})
