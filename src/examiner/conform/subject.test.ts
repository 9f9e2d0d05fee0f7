import assert from "node:assert/strict"
import type { RequestListener } from "node:http"
import { test } from "node:test"
import { startReceiver } from "../../../test/harness/receiver.ts"
import { Missed } from "../verdict.ts"
import { expectRefusal, jsonOf, newPet, openSubject, type Subject } from "./subject.ts"

const keys = { key: "own", limitedKey: "limited", readerKey: undefined }
const reply = {
  status: 200,
  headers: new Headers(),
  text: "",
  request: "GET /pet/1",
  address: "http://127.0.0.1/pet/1",
}

test("a request has the key of the subject, another one or none, and its body as it is or as JSON", async () => {
  await using receiver = await startReceiver()
  const { send } = openSubject({ url: receiver.url, ...keys })
  await send("GET", "/pet/1")
  await send("POST", "/pet", { key: "other", body: { name: "Rex" } })
  await send("POST", "/pet", { key: undefined, headers: { "content-type": "text/csv" }, body: "a,b" })
  await send("PUT", `${receiver.url}/elsewhere`, { body: Buffer.from([1, 2]) })
  assert.deepEqual(
    receiver.received.map(({ path, headers: { api_key, "content-type": type }, body }) => [path, api_key, type, body]),
    [
      ["/pet/1", "own", undefined, ""],
      ["/pet", "other", "application/json", '{"name":"Rex"}'],
      ["/pet", undefined, "text/csv", "a,b"],
      ["/elsewhere", "own", undefined, "\u0001\u0002"],
    ],
  )
})

test("a link to another host, port or scheme is not followed, and the key is sent to none of them", async () => {
  await using receiver = await startReceiver()
  await using other = await startReceiver()
  const { send, sent } = openSubject({ url: receiver.url, ...keys })
  for (const link of [
    other.url,
    `${other.url}/latest/meta-data/`,
    receiver.url.replace("http:", "https:"),
    "https://[::1",
    "@other.test",
  ])
    await assert.rejects(send("GET", link), /^Missed: it leads to .*, which has another origin than http:/)
  assert.deepEqual([receiver.received, other.received, sent()], [[], [], []])
})

test("a body of more than 8 MiB is not read to its end, and is missed", async () => {
  await using receiver = await startReceiver()
  const subject = openSubject({ url: receiver.url, ...keys })
  const part = Buffer.alloc(1024 * 1024, "x")
  const respondWith = (extra: string) =>
    receiver.respond((_request, response) => {
      for (let n = 0; n < 8; n++) response.write(part)
      response.end(extra)
    })
  respondWith("")
  assert.equal((await subject.send("GET", "/pet")).text.length, 8 * part.length)
  respondWith("x")
  await assert.rejects(
    subject.send("GET", "/pet"),
    /^Missed: GET \/pet had no response: its body has more than 8388608 bytes/,
  )
})

test("a redirect is a response like others", async () => {
  await using receiver = await startReceiver()
  receiver.respond((_request, response) => void response.writeHead(302, { location: "/other" }).end("Elsewhere"))
  const { status, headers, text, request } = await openSubject({ url: receiver.url, ...keys }).send("GET", "/pet/1")
  assert.deepEqual([status, headers.get("location"), text, request], [302, "/other", "Elsewhere", "GET /pet/1"])
})

test("the last eight requests are kept with their responses, long texts cut and in one line", async () => {
  await using receiver = await startReceiver()
  const subject = openSubject({ url: receiver.url, ...keys })
  receiver.respond((_request, response) => void response.end(`a\n  ${"b".repeat(296)}`))
  const shown = `a ${"b".repeat(296)}`
  for (let n = 1; n <= 9; n++) await subject.send("GET", `/pet/${n}`)
  assert.deepEqual(
    subject.sent(),
    [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `GET /pet/${n} → 200 ${shown}`),
  )
  receiver.respond((_request, response) => void response.end("x".repeat(301)))
  await subject.send("POST", "/pet", { body: "y".repeat(301) })
  assert.equal(subject.sent().at(-1), `POST /pet ${"y".repeat(300)}… → 200 ${"x".repeat(300)}…`)
})

test("a response that is missing is missed, and kept with the reason", async (t) => {
  await using receiver = await startReceiver()
  receiver.respond(({ socket }) => void socket.destroy())
  const subject = openSubject({ url: receiver.url, ...keys })
  await assert.rejects(subject.send("GET", "/pet/1"), new Missed("GET /pet/1 had no response: other side closed"))
  assert.deepEqual(subject.sent(), ["GET /pet/1 → no response: other side closed"])
  t.mock.method(AbortSignal, "timeout", (ms: number) => AbortSignal.abort(new Error(`not within ${ms} ms`)))
  await assert.rejects(subject.send("GET", "/pet/2"), new Missed("GET /pet/2 had no response: not within 15000 ms"))
})

test("a refusal is 400 to 499, and what is no JSON is missed with its start", () => {
  for (const status of [400, 499]) expectRefusal({ ...reply, status })
  for (const status of [399, 500])
    assert.throws(() => expectRefusal({ ...reply, status }), new Missed(`GET /pet/1 was ${status} instead of 4xx`))
  assert.deepEqual(jsonOf({ ...reply, text: "[1]" }), [1])
  assert.throws(
    () => jsonOf({ ...reply, text: "x".repeat(101) }),
    new Missed(`the response to GET /pet/1 is not JSON: ${"x".repeat(100)}`),
  )
})

test("a new pet has an id that floating point of 32 bits rounds", (t) => {
  const random = t.mock.method(Math, "random", () => 0)
  const pet = { id: 33_554_433, name: "Rex", photoUrls: [] }
  assert.deepEqual(newPet(), pet)
  random.mock.mockImplementation(() => 1 - 1e-10)
  const last = { ...pet, id: 1_033_554_431, name: "Max", status: "sold" }
  assert.deepEqual(newPet({ name: "Max", status: "sold" }), last)
  for (const { id } of [pet, last]) assert.notEqual(Math.fround(id), id)
})

/** The requests that removed something, with their keys, after a check sent some. */
async function removedAfter(
  check: (subject: Subject) => Promise<unknown>,
  respond: RequestListener,
): Promise<string[]> {
  await using receiver = await startReceiver()
  const removed: string[] = []
  receiver.respond((request, response) => {
    if (request.method === "DELETE") removed.push(`${request.url} ${request.headers.api_key}`)
    respond(request, response)
  })
  {
    await using subject = openSubject({ url: receiver.url, ...keys })
    await check(subject)
    assert.deepEqual(removed, [])
  }
  return removed
}

test("what a check made is removed at the end, the last first, with the key, also what may have been made", async () => {
  const statuses = [200, 201, 422, 500]
  const removed = await removedAfter(
    async ({ send }) => {
      for (const id of [1, 2, 3, 4]) await send("POST", "/pet", { key: "other", body: { id } })
      await send("POST", "/store/order", { body: { petId: 1 } })
      await send("GET", "/pet/9")
    },
    ({ url, method }, response) => {
      response.statusCode = url === "/pet" ? (statuses.shift() ?? 200) : 200
      response.end(method === "POST" && url === "/store/order" ? '{"id":5}' : "{}")
    },
  )
  assert.deepEqual(removed, ["/store/order/5 own", "/pet/4 own", "/pet/2 own", "/pet/1 own"])
})

test("what was sent without a response is removed too, once, and a service that does not respond is left", async () => {
  const removed = await removedAfter(
    async ({ send }) => {
      for (const id of [1, 1, 2]) await assert.rejects(send("POST", "/pet", { body: `{"id":${id}}` }), Missed)
    },
    (request, response) => {
      if (request.method === "POST") request.socket.destroy()
      else response.writeHead(404).end()
    },
  )
  assert.deepEqual(removed, ["/pet/2 own", "/pet/1 own"])
  const left = await removedAfter(
    async ({ send }) => {
      for (const id of [1, 2]) await send("POST", "/pet", { body: { id } })
    },
    (request, response) => {
      if (request.method === "DELETE") request.socket.destroy()
      else response.end("{}")
    },
  )
  assert.deepEqual(left, ["/pet/2 own"])
})

test("once the examination is interrupted nothing is sent but what removes", async () => {
  await using receiver = await startReceiver()
  const ending = new AbortController()
  const interrupted = new Error("interrupted")
  receiver.respond((request, response) => {
    if (request.method === "POST") ending.abort(interrupted)
    else response.end("{}")
  })
  {
    await using subject = openSubject({ url: receiver.url, ...keys, signal: ending.signal })
    await assert.rejects(subject.send("POST", "/pet", { body: { id: 7 } }), interrupted)
    await assert.rejects(subject.send("POST", "/pet", { body: { id: 8 } }), interrupted)
  }
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ["/pet", "/pet/7"],
  )
})
