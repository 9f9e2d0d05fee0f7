import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { test } from "node:test"
import { serveMetrics } from "./metrics-server.ts"

const host = "127.0.0.1"
const read = async () => ({ type: "text/plain", text: "a 1\n" })

test("only metrics are served, to GET and HEAD, and a failure to read them is the server's", async () => {
  let isFailing = false
  await using server = await serveMetrics(host, 0, () => (isFailing ? Promise.reject(new Error("x")) : read()))
  const ask = async (path: string, method = "GET") => {
    const response = await fetch(`http://${host}:${server?.port}${path}`, { method })
    return [response.status, response.headers.get("content-type"), await response.text()]
  }
  assert.deepEqual(await ask("/metrics"), [200, "text/plain", "a 1\n"])
  assert.deepEqual(await ask("/metrics", "HEAD"), [200, "text/plain", ""])
  const elsewhere = [404, "text/plain", "Metrics are at /metrics\n"]
  assert.deepEqual(await ask("/"), elsewhere)
  assert.deepEqual(await ask("/metrics", "POST"), elsewhere)
  assert.deepEqual(await ask("/metrics?a"), elsewhere)
  isFailing = true
  assert.deepEqual(await ask("/metrics"), [500, null, ""])
})

test("32 connections are served at once, and all of them end with the server", async () => {
  const server = await serveMetrics(host, 0, read)
  const open = async () => {
    const socket = connect(server?.port as number, host).on("error", () => undefined)
    socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
    const closed = new Promise<false>((resolve) => socket.on("close", () => resolve(false)))
    const served = new Promise<true>((resolve) => socket.on("data", () => resolve(true)))
    return { socket, closed, isServed: await Promise.race([served, closed]) }
  }
  const opened = []
  for (let n = 0; n < 33; n++) opened.push(await open())
  assert.deepEqual(
    opened.map(({ isServed }) => isServed),
    [...Array(32).fill(true), false],
  )
  await server?.[Symbol.asyncDispose]()
  await Promise.all(opened.map(({ closed }) => closed))
})

test("a request that is refused may have a body, and the next one on its connection is served", async () => {
  await using server = await serveMetrics(host, 0, read)
  const socket = connect(server?.port as number, host)
  const length = 1024 * 1024
  socket.write(`POST /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`)
  socket.write(Buffer.alloc(length))
  socket.end("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
  const responses = await text(socket)
  assert.deepEqual(
    [...responses.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status),
    ["404", "200"],
  )
})

test("the server does not wait for a response that is being made", async () => {
  const asked = Promise.withResolvers<void>()
  const server = await serveMetrics(host, 0, () => {
    asked.resolve()
    return new Promise(() => undefined)
  })
  const socket = connect(server?.port as number, host).on("error", () => undefined)
  socket.write("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
  await asked.promise
  const closed = once(socket, "close")
  await server?.[Symbol.asyncDispose]()
  await closed
})
