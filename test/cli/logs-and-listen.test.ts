import assert from "node:assert/strict"
import { test } from "node:test"
import { manualClock } from "../harness/clock.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { startReceiver } from "../harness/receiver.ts"
import { recordTerminal } from "../harness/terminal.ts"

type Given = Parameters<typeof petstoreCommand>[2]

/** A service with these recorded requests and this event stream; the paths of the requests to it. */
async function openService({ recorded = [] as object[], stream = "" } = {}) {
  const receiver = await startReceiver()
  const paths: string[] = []
  receiver.respond(({ method, url = "" }, response) => {
    paths.push(`${method} ${url.replace("/api/v3", "")}`)
    if (url.includes("/stream")) response.writeHead(200, { "content-type": "text/event-stream" }).end(stream)
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(recorded))
  })
  return { ...receiver, paths }
}

const request = (id: number, more: object = {}) => ({
  id,
  time: `2026-01-01T00:00:0${id}.123Z`,
  method: "GET",
  path: `/api/v3/pet/${id}`,
  status: 200,
  durationMs: 1.5,
  operation: "getPetById",
  caller: "key 1",
  request: { headers: {} },
  response: { headers: {} },
  ...more,
})
const recorded = [
  request(2, {
    status: 404,
    problem: "pet-not-found",
    fault: "wait=2",
    request: { headers: {}, body: "a\nb\u001b" },
    response: { headers: {}, body: "c" },
  }),
  request(1),
]
const head = "time          method  path    status  duration  operation   credential  problem\n"
const first = "00:00:01.123  GET     /pet/1  200     1.5 ms    getPetById  key 1\n"
const second = "00:00:02.123  GET     /pet/2  404     1.5 ms    getPetById  key 1       pet-not-found (wait=2)\n"

/** An interruption and a terminal: the interruption follows when this text is printed. */
function until(text: string) {
  const ending = new AbortController()
  const { terminal, written } = recordTerminal()
  const out = (printed: string) => {
    terminal.out(printed)
    if (printed.includes(text)) ending.abort()
  }
  return { written, given: { interrupted: ending.signal, terminal: { ...terminal, out } } satisfies Given }
}

test("recorded requests are a table, oldest first, with their bodies if they are wanted, or JSON", async () => {
  await using service = await openService({ recorded })
  const logs = async (...flags: string[]) => (await petstoreCommand(service.url, ["logs", ...flags])).out
  assert.equal(await logs(), head + first + second)
  assert.equal(await logs("--bodies"), `${head + first + second}    a\n    b\\u001b\n    c\n`)
  assert.equal(
    await logs("--json"),
    [...recorded]
      .reverse()
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(""),
  )
  await logs("--status", "4xx", "--clear")
  assert.deepEqual(service.paths.slice(3), ["DELETE /sandbox/requests", "GET /sandbox/requests?status=4xx"])
  const paint = {
    out: (format: string, text: string) => `<${format}>${text}</>`,
    err: (_: string, text: string) => text,
  }
  const { terminal, written } = recordTerminal({ width: 60, paint })
  await petstoreCommand(service.url, ["logs"], { terminal })
  assert.match(written.out, /^<bold>time .*\n.* <green>200<\/>\n.* <red>404<\/> /)
  // Who sent it, which operation it was and how long it took are left out, so that what went wrong is whole.
  assert.match(written.out, /^<bold>time +method +path +status +problem<.*\n.*\n.* pet-not-found \(wait=2\)$/m)
})

test("a journal without requests says so, unless JSON is wanted", async () => {
  await using service = await openService()
  const logs = (...flags: string[]) => petstoreCommand(service.url, ["logs", ...flags])
  assert.deepEqual(await logs(), { code: 0, out: "", err: "No requests.\n" })
  assert.deepEqual(await logs("--json"), { code: 0, out: "", err: "" })
})

test("new requests follow those that are recorded, if they are sought", async () => {
  const stream = [request(3, { status: undefined }), request(4, { operation: "addPet" }), request(5)]
    .map((each) => `id: ${each.id}\ndata: ${JSON.stringify(each)}\n\n`)
    .join("")
  await using service = await openService({ recorded, stream })
  const { written, given } = until("/pet/5")
  const flags = ["--operation", "getPetById", "--follow"]
  assert.equal((await petstoreCommand(service.url, ["logs", ...flags], given)).code, 0)
  const third = "00:00:03.123  GET     /pet/3  no response  1.5 ms    getPetById  key 1\n"
  const fifth = "00:00:05.123  GET     /pet/5  200          1.5 ms    getPetById  key 1\n"
  assert.equal(written.out, head + first + second + third + fifth)
  assert.deepEqual(service.paths, [
    "GET /sandbox/requests?operation=getPetById",
    "GET /sandbox/requests/stream?after=2",
  ])
  await using fresh = await openService({ stream })
  await petstoreCommand(fresh.url, ["logs", "-f"], until("/pet/5").given)
  assert.equal(fresh.paths[1], "GET /sandbox/requests/stream")
})

const event = (id: number, kind: string, data: object) =>
  `id: evt_${id}\ndata: ${JSON.stringify({ event: kind, timestamp: `2026-01-01T00:00:0${id}.123Z`, data })}\n\n`
const events =
  event(1, "pet.created", { id: 7, name: "Rex\u001b", status: "available" }) +
  event(2, "order.placed", { id: 8, status: "placed" }) +
  event(3, "webhook.disabled", { webhookId: 9 })
const lines = [
  "00:00:01.123 [evt_1] pet.created 7 Rex\\u001b available\n",
  "00:00:02.123 [evt_2] order.placed 8 placed\n",
  "00:00:03.123 [evt_3] webhook.disabled 9\n",
]

test("an event is a line or JSON, of the wanted kinds, until so many were seen", async () => {
  await using service = await openService({ stream: events })
  const listen = (...flags: string[]) => petstoreCommand(service.url, ["listen", ...flags])
  const listening = `Listening to ${service.url}. Press Ctrl-C to stop.\n`
  assert.deepEqual(await listen("--count", "3"), { code: 0, out: lines.join(""), err: listening })
  assert.equal((await listen("--count", "2")).out, lines.slice(0, 2).join(""))
  assert.equal(
    (await listen("--count", "2", "--events", "order.placed,pet.deleted", "--events", "webhook.disabled")).out,
    lines.slice(1).join(""),
  )
  const asJson = (await listen("--count", "1", "--json")).out
  assert.match(asJson, /^\{"id":"evt_1","event":"pet\.created","timestamp":"2026-.*\}\}\n$/)
  const again = await listen("--count", "4")
  assert.equal(again.out, lines.join("") + lines[0])
  assert.equal(again.err, `${listening}The connection ended; reconnecting.\nReconnected.\n`)
})

test("with a receiver, an event is sent to it, and the line has the result", async () => {
  await using service = await openService({ stream: events })
  await using receiver = await startReceiver()
  const hook = `${receiver.url}/hook`
  const listen = (...flags: string[]) =>
    petstoreCommand(service.url, ["listen", "--count", "1", "--forward-to", hook, ...flags])
  const line = lines[0]?.replace("00:00:01.123", `[204] POST ${hook}`)
  const secret = "whsec_c2VjcmV0c2VjcmV0"
  const given = await listen("--secret", secret)
  assert.equal(given.out, line)
  const listening = `Listening to ${service.url}. Press Ctrl-C to stop.\n`
  assert.equal(given.err, `Forwarding to ${hook}, signed with the secret given\n${listening}`)
  const asJson = await listen("--json")
  assert.match(asJson.out, /^\{"id":"evt_1",/)
  assert.ok(asJson.err.endsWith(line ?? "none"), asJson.err)
  assert.match(asJson.err, /whsec_[A-Za-z0-9+/]{32}/)
  assert.equal(receiver.received.length, 2)
})

test("a start is a period before now, a time or an event", async () => {
  await using service = await openService({ stream: events })
  const clock = manualClock()
  const start = async (replay: string) => {
    service.paths.length = 0
    const { err, code } = await petstoreCommand(service.url, ["listen", "--count", "1", "--replay", replay], { clock })
    return code === 0 ? decodeURIComponent(service.paths[0]?.replace("GET /events/stream?", "") ?? "") : err
  }
  for (const [replay, from] of [
    ["evt_17_4f1d", "after=evt_17_4f1d"],
    ["30s", "since=2025-12-31T23:59:30.000Z"],
    ["10m", "since=2025-12-31T23:50:00.000Z"],
    ["2h", "since=2025-12-31T22:00:00.000Z"],
    ["3d", "since=2025-12-29T00:00:00.000Z"],
    ["2026-01-31T12:00:00Z", "since=2026-01-31T12:00:00.000Z"],
    ["1970-01-01T00:00:00Z", "since=1970-01-01T00:00:00.000Z"],
  ] as const)
    assert.equal(await start(replay), from)
  for (const replay of ["1969-12-31T23:59:59Z", "999999d", "1234567s", "10x", "m", "evt_", "evt_1-2", "soon", ""])
    assert.equal(
      await start(replay),
      `petstore: --replay is ${JSON.stringify(replay)}; it must be a period such as 10m, 2h or 3d, a date and time, or an event id\n`,
    )
  for (const count of ["0", "-1", "1.5", "01", "1234567890123456", "x"])
    assert.deepEqual(await petstoreCommand(service.url, ["listen", `--count=${count}`]), {
      code: 2,
      out: "",
      err: `petstore: --count is ${JSON.stringify(count)}; it must be a positive integer\n`,
    })
})
