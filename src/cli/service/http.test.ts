import assert from "node:assert/strict"
import { test } from "node:test"
import { serveDocuments } from "../../../test/harness/certificate.ts"
import { missingProgram } from "../../../test/harness/installed.ts"
import { respondWith, startReceiver } from "../../../test/harness/receiver.ts"
import { createHttpSender } from "./http.ts"

const headers = { accept: "application/json" }

test("a request is sent as given, and a redirect is a response like others", async () => {
  await using receiver = await startReceiver()
  const send = createHttpSender()
  receiver.respond((_request, response) => {
    response.writeHead(307, "Elsewhere", { location: "/b", "x-more": ["1", "2"] })
    response.write("the ")
    response.end("body 🐕")
  })
  const response = await send(`${receiver.url}/a?q=1`, { method: "DELETE", headers, body: '{"ä":1}' })
  const { ok, status, statusText } = response
  assert.deepEqual(
    { ok, status, statusText, text: await response.text() },
    {
      ok: false,
      status: 307,
      statusText: "Elsewhere",
      text: "the body 🐕",
    },
  )
  assert.deepEqual([response.headers.get("location"), response.headers.get("x-more")], ["/b", "1, 2"])
  await send(`${receiver.url}/b`, { method: "GET", headers })
  const [first, second] = receiver.received
  assert.deepEqual(
    [first?.path, first?.body, first?.headers["content-length"], first?.headers.accept],
    ["/a?q=1", '{"ä":1}', "8", "application/json"],
  )
  assert.deepEqual([second?.path, second?.body, second?.headers["content-length"]], ["/b", "", undefined])
})

test("requests share a connection", async () => {
  await using receiver = await startReceiver()
  const ports = new Set<number | undefined>()
  receiver.respond(({ socket }, response) => {
    ports.add(socket.remotePort)
    response.end()
  })
  const send = createHttpSender()
  for (const _ of ["first", "second"]) await send(receiver.url, { method: "GET", headers })
  assert.equal(ports.size, 1)
})

test("requests over TLS share a connection (slow)", { skip: missingProgram("openssl") }, async () => {
  await using documents = await serveDocuments(new Map([["/a", { a: 1 }]]))
  const send = createHttpSender()
  for (const _ of ["first", "second"]) {
    const response = await send(`${documents.url}/a`, { method: "GET", headers })
    assert.deepEqual([response.status, await response.text()], [200, '{"a":1}'])
  }
  assert.equal(documents.connections(), 1)
})

test("a response is fine from 200 to 299", async () => {
  await using receiver = await startReceiver()
  const send = createHttpSender()
  const isFine = async (status: number) => {
    receiver.respond(respondWith(status))
    return (await send(receiver.url, { method: "GET", headers })).ok
  }
  assert.deepEqual(await Promise.all([await isFine(200), await isFine(299), await isFine(300)]), [true, true, false])
})

test("a failed connection is an error as of fetch, and an aborted request rejects with the reason", async () => {
  await using receiver = await startReceiver()
  const send = createHttpSender()
  receiver.respond(({ socket, url }, response) => {
    if (url === "/half") response.writeHead(200, { "content-length": "10" }).write("half")
    setImmediate(() => socket.destroy())
  })
  for (const path of ["/", "/half"])
    await assert.rejects(send(receiver.url + path, { method: "GET", headers }), (error: Error) => {
      const { code } = error.cause as { code: string }
      return error instanceof TypeError && error.message === "fetch fail" && code === "ECONNRESET"
    })
  receiver.respond(() => {})
  const aborting = new AbortController()
  const sent = send(receiver.url, { method: "GET", headers, signal: aborting.signal })
  aborting.abort(new Error("enough"))
  await assert.rejects(sent, new Error("enough"))
})

test("without a response in time a request is a timeout", async () => {
  await using receiver = await startReceiver()
  receiver.respond(() => {})
  await assert.rejects(createHttpSender(20)(receiver.url, { method: "GET", headers }), {
    name: "TimeoutError",
    message: "no response within the timeout",
  })
})
