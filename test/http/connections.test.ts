import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { test } from "node:test"
import { boundedRequests, pipelinedMax } from "../../src/core/server/limits/connection.ts"
import { connectionsMax, createConnections } from "../../src/core/server/limits/connection-limit.ts"
import { startPetstore } from "../harness/petstore.ts"
import { rawConnection } from "../harness/raw-http.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const host = "Host: petstore\r\n"
const key = "api_key: special-key\r\n"
const getPet = `GET /api/v3/pet/1 HTTP/1.1\r\n${host}${key}\r\n`

/** The path of the reference's script, 3 MB. */
async function largeFile({ url }: Petstore): Promise<string> {
  const [, path] = /src="\.\/(assets\/scalar-[^"]+)"/.exec(await (await fetch(`${url}/docs`)).text()) as RegExpExecArray
  return `/${path}`
}

/** Requests more than the buffers of a socket hold. */
const getOften = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`.repeat(10)

const statusOf = async ({ url }: Petstore, path = "/api/v3/pet/1", init: RequestInit = {}) => {
  const response = await fetch(url + path, { headers: { api_key: "special-key" }, ...init })
  await response.bytes()
  return response.status
}

async function assertServed(petstore: Petstore): Promise<void> {
  for (let n = 0; n < 20; n++) assert.equal(await statusOf(petstore), 200)
  assert.equal(await statusOf(petstore, "/readyz"), 200)
}

test("connections that do not read do not make the service busy with any request", async () => {
  await using petstore = await startPetstore({ load: { requestsMax: 3 } })
  const large = await largeFile(petstore)
  using attackers = new DisposableStack()
  for (let n = 0; n < 20; n++) {
    const connection = attackers.use(await rawConnection(petstore.url))
    connection.pause()
    connection.send(getOften(large) + getPet.repeat(pipelinedMax - 10))
  }
  await assertServed(petstore)
})

test("connections that send their bodies slowly do not make the service busy", async () => {
  await using petstore = await startPetstore({ load: { requestsMax: 3 } })
  using attackers = new DisposableStack()
  for (let n = 0; n < 20; n++)
    attackers
      .use(await rawConnection(petstore.url))
      .send(`POST /api/v3/user HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  await assertServed(petstore)
})

test("a connection that pipelines more requests than the limit is closed", async () => {
  await using petstore = await startPetstore()
  using connection = await rawConnection(petstore.url)
  connection.pause()
  connection.send(getOften(await largeFile(petstore)) + getPet.repeat(2_100))
  connection.resume()
  assert.ok((await connection.closed).split("HTTP/1.1 200").length <= 3)
})

test("requests beyond the queue are not started", async () => {
  let started = 0
  class CountedResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(request: Request) {
      super(request)
      started++
    }
  }
  const { inOrder, guard } = createConnections()
  const server = createServer(
    { ...boundedRequests, ServerResponse: CountedResponse },
    inOrder(() => undefined),
  )
  guard(server, { perAddress: 256, total: connectionsMax, exempt: [] }, () => undefined)
  await once(server.listen(0, "127.0.0.1"), "listening")
  {
    using connection = await rawConnection(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    connection.send(getPet.repeat(2_100))
    await connection.closed
  }
  assert.equal(started, 1 + pipelinedMax)
  server.close()
})

test("pipelined requests are handled one after the other: each sees what the one before it did", async () => {
  await using petstore = await startPetstore()
  using connection = await rawConnection(petstore.url)
  const rename = (name: string) =>
    `POST /api/v3/pet/1?name=${name} HTTP/1.1\r\n${host}${key}Content-Length: 0\r\n\r\n${getPet}`
  connection.send(Array.from({ length: 20 }, (_, n) => rename(`n${n}`)).join(""))
  for (let n = 0; n < 40; n++)
    assert.equal(JSON.parse((await connection.response()).body).name, `n${Math.floor(n / 2)}`)
})

test("a response that is not read within 30 seconds, and a second for each 16 KiB, ends its connection (slow)", async () => {
  let now = 0
  await using petstore = await startPetstore({ connectionLimits: { sweepMs: 1, now: () => now } })
  const large = await largeFile(petstore)
  using reading = await rawConnection(petstore.url)
  using unread = await rawConnection(petstore.url)
  unread.pause()
  unread.send(getOften(large))
  const { headers } = await fetch(petstore.url + large, { headers: { "accept-encoding": "identity" } })
  const bytes = Number(headers.get("content-length"))
  const allowedMs = 30_000 + (bytes / 16_384) * 1000

  // Enough turns of the event loop for the response to start, and to be found unread.
  for (let n = 0; n < 20; n++) assert.equal(await statusOf(petstore), 200)
  now = allowedMs - 1_000
  for (let n = 0; n < 20; n++) assert.equal(await statusOf(petstore), 200)
  assert.equal(unread.isClosed, false)
  now = allowedMs + 1_000
  unread.resume()
  await unread.closed
  reading.send(getPet)
  assert.equal((await reading.response()).status, 200)
})

test("connections per address are limited; others, exempt addresses and proxies, are not affected", async () => {
  const env = {
    PETSTORE_UNLIMITED_ADDRESSES: "127.0.0.4",
    PETSTORE_TRUSTED_PROXIES: "127.0.0.5",
    PETSTORE_CONNECTIONS_PER_ADDRESS: "3",
  }
  await using petstore = await startPetstore({ env })
  const opened: Socket[] = []
  const open = (localAddress: string) =>
    new Promise<"open" | "closed">((resolve) => {
      const { port } = new URL(petstore.url)
      const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress })
      opened.push(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => resolve("closed"))
      socket.on("data", () => resolve("open"))
      socket.write(getPet)
    })
  try {
    assert.deepEqual([await open("127.0.0.2"), await open("127.0.0.2"), await open("127.0.0.2")], Array(3).fill("open"))
    assert.equal(await open("127.0.0.2"), "closed")
    for (const address of ["127.0.0.3", ...Array(4).fill("127.0.0.4"), ...Array(4).fill("127.0.0.5")])
      assert.equal(await open(address), "open", address)
    opened[0]?.destroy()
    await new Promise((resolve) => opened[0]?.once("close", resolve))
    // The server notices with a delay: a refused attempt changes nothing.
    while ((await open("127.0.0.2")) === "closed");
    assert.equal(await open("127.0.0.2"), "closed")
  } finally {
    for (const socket of opened) socket.destroy()
  }
})

test("pages, images and preflights count against the client's address (slow)", async () => {
  await using petstore = await startPetstore({ env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } })
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } })
  const exhaust = async (request: string, address: string, times: number) => {
    using connection = await rawConnection(petstore.url)
    const statusOfNext = async () => {
      connection.send(`${request} HTTP/1.1\r\n${host}X-Forwarded-For: ${address}\r\n\r\n`)
      return (await connection.response()).status
    }
    for (let n = 0; n < times; n++) assert.notEqual(await statusOfNext(), 429)
    assert.equal(await statusOfNext(), 429)
  }
  await exhaust("GET /favicon.svg", "203.0.113.1", 3_000)
  for (const path of ["/", "/docs", "/problems", `/images/${"0".repeat(64)}`, "/api/v3/openapi.json"])
    assert.equal(await statusOf(petstore, path, from("203.0.113.1")), 429, path)
  await exhaust("OPTIONS /api/v3/pet", "203.0.113.2", 600)
  assert.equal(await statusOf(petstore, "/livez", from("203.0.113.1")), 200)
})

test("every response has a referrer policy, and over https strict transport security", async () => {
  await using plain = await startPetstore()
  const headers = async ({ url }: Petstore, path: string) => (await fetch(url + path)).headers
  for (const path of ["/", "/docs", "/api/v3/pet/1", "/nothing", "/livez"]) {
    assert.match((await headers(plain, path)).get("referrer-policy") ?? "", /^(no-referrer|same-origin)$/, path)
    assert.equal((await headers(plain, path)).get("strict-transport-security"), null)
  }
  await using secure = await startPetstore({ env: { PETSTORE_PUBLIC_URL: "https://petstore.example" } })
  assert.equal((await headers(secure, "/api/v3/pet/1")).get("strict-transport-security"), "max-age=31536000")
})
