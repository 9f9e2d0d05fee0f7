import assert from "node:assert/strict"
import { test } from "node:test"
import { startReceiver } from "../../../test/harness/receiver.ts"
import { Missed } from "../verdict.ts"
import { createSubject, expectRefusal, jsonOf, newPet } from "./subject.ts"

const keys = { key: "own", limitedKey: "limited" }
const reply = {
  status: 200,
  headers: new Headers(),
  text: "",
  request: "GET /pet/1",
  address: "http://127.0.0.1/pet/1",
}

test("a request has the key of the subject, another one or none, and its body as it is or as JSON", async () => {
  await using receiver = await startReceiver()
  const { send } = createSubject({ url: receiver.url, ...keys })
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
  const { send, sent } = createSubject({ url: receiver.url, ...keys })
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
  const subject = createSubject({ url: receiver.url, ...keys })
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
  const { status, headers, text, request } = await createSubject({ url: receiver.url, ...keys }).send("GET", "/pet/1")
  assert.deepEqual([status, headers.get("location"), text, request], [302, "/other", "Elsewhere", "GET /pet/1"])
})

test("the last eight requests are kept with their responses, long texts cut and in one line", async () => {
  await using receiver = await startReceiver()
  const subject = createSubject({ url: receiver.url, ...keys })
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
  const subject = createSubject({ url: receiver.url, ...keys })
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

test("a new pet has an id from a million on, less than a billion beyond it", (t) => {
  const random = t.mock.method(Math, "random", () => 0)
  const pet = { id: 1_000_000, name: "Rex", photoUrls: [] }
  assert.deepEqual(newPet(), pet)
  random.mock.mockImplementation(() => 1 - 1e-10)
  assert.deepEqual(newPet({ name: "Max", status: "sold" }), { ...pet, id: 1_000_999_999, name: "Max", status: "sold" })
})
