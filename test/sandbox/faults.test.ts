import assert from "node:assert/strict"
import { once } from "node:events"
import { connect } from "node:net"
import { describe, test } from "node:test"
import { problemsOf } from "../../src/core/api/problems/problem-responses.ts"
import type { Caller } from "../../src/core/domain/accounts/model.ts"
import { api } from "../../src/core/domain/api.ts"
import { type ProblemCode, problems } from "../../src/core/domain/problems/problems.ts"
import type { Scope } from "../../src/core/domain/scopes.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../../src/core/kernel/network/path.ts"
import { createDelays } from "../../src/parts/sandbox/faults/delayed-responses.ts"
import { createSeededRandom } from "../../src/parts/sandbox/faults/seeded-random.ts"
import { delaySeconds } from "../../src/parts/sandbox/rules.ts"
import { exchangeOf } from "../harness/exchange.ts"
import { startPetstore } from "../harness/petstore.ts"
import { principalOf } from "../harness/principal.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()

type RequestOptions = { method?: string; key?: string; body?: unknown; headers?: Record<string, string>; url?: string }

function sendPreferring(
  path: string,
  prefer: string,
  { method = "GET", key = "special-key", body, headers, url = petstore.url }: RequestOptions = {},
) {
  const ask = asker({ url }, basePath)
  const sent = { api_key: key, prefer, ...headers }
  return ask(path, { method, headers: sent, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** For a response that is read completely: one that is not keeps its connection. */
async function statusOf(path: string, prefer: string, key?: string): Promise<number> {
  const response = await sendPreferring(path, prefer, key === undefined ? {} : { key })
  await response.text()
  return response.status
}

const countPets = async () => {
  const counts = (await petstore.as("special-key").getInventory()).value
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

test("every operation can be refused with every problem of its contract, and then changes nothing (slow)", async () => {
  const before = await countPets()
  let tried = 0
  for (const endpoint of Object.values<Endpoint<Scope, ProblemCode>>(api)) {
    const { method, path, params } = endpoint
    const filled = filledPath(path, Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, 1])))
    for (const code of problemsOf(endpoint)) {
      const response = await sendPreferring(filled, `code=${code}`, { method })
      const document = (await response.json()) as { code: string; status: number; type: string; instance: string }
      const { status } = problems[code]
      assert.deepEqual(
        { responseStatus: response.status, documentStatus: document.status, code: document.code },
        { responseStatus: status, documentStatus: status, code },
        `${method} ${path}`,
      )
      assert.equal(response.headers.get("content-type"), "application/problem+json")
      assert.equal(response.headers.get("preference-applied"), `code=${code}`)
      assert.equal(
        response.headers.has("retry-after"),
        [429, 503].includes(status) || code === "idempotency-key-in-use",
      )
      assert.equal(response.headers.has("www-authenticate"), ["unauthorized", "forbidden"].includes(code), code)
      tried++
    }
  }
  assert.ok(tried > 500)
  assert.equal(await countPets(), before)
  assert.equal((await petstore.as("special-key").listWebhooks()).value.length, 0)
})

test("a status selects the first problem of the contract that has it; an unknown one is a 400 that lists the known ones", async () => {
  for (const [status, code] of [
    ["404", "pet-not-found"],
    ["429", "quota-exceeded"],
    ["503", "overloaded"],
  ]) {
    const response = await sendPreferring("/pet/1", `code="${status}"`)
    assert.deepEqual(
      { status: response.status, code: ((await response.json()) as { code: string }).code },
      { status: Number(status), code },
    )
  }
  for (const [prefer, advice] of [
    ["code=418", /code=418, which is not a problem of this operation; its problems are 400 \(.*404 \(pet-not-found\)/],
    ["code=pet-exists", /its problems are 400/],
    ["wait=31", /from 0 to 30/],
    ["wait=soon", /as a number/],
    ["fault=fire", /known are drop, reset, html, lose, empty, truncate, garbage, slow/],
    ["faults=2", /from 0 to 1/],
    ['faults=0.1; seed="a b"', /seed=SEED/],
  ] as const) {
    const response = await sendPreferring("/pet/1", prefer)
    const { code, detail, errors } = (await response.json()) as { code: string; detail: string; errors: object[] }
    assert.deepEqual(
      { status: response.status, code, errors: errors.length },
      { status: 400, code: "invalid-parameter", errors: 1 },
      prefer,
    )
    assert.match(detail, advice)
  }
})

test("a quota used up on demand sends the headers of a real one", async () => {
  const said = "The plan free allows 60 requests a minute; there is room again in 1 second"
  for (const [key, expected] of [
    ["free-key", said],
    ["special-key", `The plan enterprise has no limits; this is the response of another one. ${said}`],
  ] as const) {
    const response = await sendPreferring("/pet/1", "code=quota-exceeded", { key })
    const { status, headers } = response
    assert.equal(((await response.json()) as { detail: string }).detail, expected)
    assert.equal(status, 429)
    assert.equal(headers.get("ratelimit"), '"minute";r=0;t=1, "day";r=940;t=86400', key)
    assert.equal(headers.get("ratelimit-policy"), '"minute";q=60;w=60, "day";q=1000;w=86400')
    assert.equal(headers.get("retry-after"), "1")
  }
})

test("a request for a fault needs a credential and is counted like any other", async () => {
  const unknown = await sendPreferring("/pet/1", "code=503", { key: "unknown" })
  assert.equal(unknown.status, 401)
  const left = async (prefer: string) =>
    Number(
      /"day";r=(\d+)/.exec(
        (await sendPreferring("/pet/1", prefer, { key: "pro-key" })).headers.get("ratelimit") ?? "",
      )?.[1],
    )
  const before = await left("code=404")
  assert.equal(await left("code=404"), before - 1)
})

test("a response is delayed by the requested time (slow)", async () => {
  const startedAt = performance.now()
  const response = await sendPreferring("/pet/1", "wait=1")
  assert.equal(response.status, 200)
  assert.equal(response.headers.get("preference-applied"), "wait=1")
  assert.ok(performance.now() - startedAt >= 990)
})

describe("a broken connection", () => {
  const body = { name: "Faulty", photoUrls: [] }
  const create = (prefer: string, key: string) =>
    sendPreferring("/pet", prefer, { method: "POST", body, headers: { "idempotency-key": key } })

  test("that is a stream of events ends", async () => {
    for (const fault of ["drop", "lose"]) {
      const reading = sendPreferring("/events/stream", `fault=${fault}`).then((response) => response.text())
      await assert.rejects(reading)
    }
  })

  test("that is dropped changes nothing", async () => {
    const before = await countPets()
    await assert.rejects(create("fault=drop", "dropped"))
    assert.equal(await countPets(), before)
  })

  test("that is reset changes nothing, and the client sees a reset, not an end", async () => {
    const before = await countPets()
    await assert.rejects(
      create("fault=reset", "reset"),
      ({ cause }: Error) => (cause as { code: string }).code === "ECONNRESET",
    )
    assert.equal(await countPets(), before)
    const socket = connect(Number(new URL(petstore.url).port), "127.0.0.1")
    socket.write(`GET ${basePath}/pet/1 HTTP/1.1\r\nhost: x\r\napi_key: special-key\r\nprefer: fault=reset\r\n\r\n`)
    const [reason] = (await once(socket, "error")) as [{ code: string }]
    assert.deepEqual({ code: reason.code, received: socket.bytesRead }, { code: "ECONNRESET", received: 0 })
  })

  test("that ends after the head has the whole length and no body, and everything is changed", async () => {
    const before = await countPets()
    using connection = await rawConnection(petstore.url)
    const sent = JSON.stringify(body)
    connection.send(
      `POST ${basePath}/pet HTTP/1.1\r\nhost: x\r\napi_key: special-key\r\nprefer: fault=empty\r\ncontent-type: application/json\r\ncontent-length: ${sent.length}\r\n\r\n${sent}`,
    )
    const [head = "", received = ""] = (await connection.closed).split("\r\n\r\n")
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n.*Content-Length: \d{2,}\r\n/s)
    assert.match(head, /Preference-Applied: fault=empty\r\n/)
    assert.equal(received, "")
    assert.equal(await countPets(), before + 1)
  })

  test("that loses its response changes everything, and the same key returns the lost response", async () => {
    const before = await countPets()
    await assert.rejects(create("fault=lose", "lost"))
    assert.equal(await countPets(), before + 1)
    const again = await create("", "lost")
    assert.deepEqual(
      { status: again.status, "idempotency-replayed": again.headers.get("idempotency-replayed") },
      { status: 200, "idempotency-replayed": "true" },
    )
    assert.equal(await countPets(), before + 1)
  })

  test("that is cut delivers half of the body under its full length", async () => {
    using connection = await rawConnection(petstore.url)
    connection.send(
      `GET ${basePath}/pet/1 HTTP/1.1\r\nhost: x\r\napi_key: special-key\r\nprefer: fault=truncate\r\n\r\n`,
    )
    const [head = "", received = ""] = (await connection.closed).split("\r\n\r\n")
    const whole = await (await sendPreferring("/pet/1", "")).text()
    assert.match(head, new RegExp(`Content-Length: ${whole.length}\r\n`))
    assert.equal(received, whole.slice(0, Math.floor(whole.length / 2)))
    await assert.rejects(async () => (await sendPreferring("/pet/1", "fault=truncate")).text())
  })
})

test("a body that is no JSON has a 200, also instead of a refusal, and everything is changed", async () => {
  const before = await countPets()
  for (const [path, options] of [
    ["/pet", { method: "POST", body: { name: "Faulty", photoUrls: [] } }],
    ["/pet/999999", {}],
  ] as const) {
    const response = await sendPreferring(path, "fault=garbage", options)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get("content-type"), "application/json")
    await assert.rejects(response.json(), SyntaxError)
  }
  assert.equal(await countPets(), before + 1)
})

test("the page of a proxy is a 502 in HTML, and nothing is changed", async () => {
  const before = await countPets()
  const response = await sendPreferring("/pet", "fault=html", {
    method: "POST",
    body: { name: "Faulty", photoUrls: [] },
  })
  assert.equal(response.status, 502)
  assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8")
  assert.equal(response.headers.get("preference-applied"), "fault=html")
  assert.match(await response.text(), /<h1>502 Bad Gateway<\/h1>/)
  assert.equal(await countPets(), before)
  assert.equal(await statusOf("/pet/1", ""), 200)
})

test("Retry-After is as long as asked for, in seconds or as a date", async () => {
  for (const code of ["429", "503"]) {
    const inSeconds = await sendPreferring("/pet/1", `code=${code}; retry-after=3`)
    assert.equal(inSeconds.headers.get("retry-after"), "3")
    assert.match(inSeconds.headers.get("preference-applied") ?? "", /^code=[\w-]+; retry-after=3$/)
    const asDate = await sendPreferring("/pet/1", `code=${code}; retry-after-date=60`)
    const seconds =
      (Date.parse(asDate.headers.get("retry-after") ?? "") - Date.parse(asDate.headers.get("date") ?? "")) / 1000
    assert.ok(seconds >= 59 && seconds <= 61, `${seconds} s`)
  }
  const { headers } = await sendPreferring("/pet/1", "code=429; retry-after=7", { key: "free-key" })
  assert.match(headers.get("ratelimit") ?? "", /"minute";r=0;t=7/)
})

test("a delay with a spread has its median and the standard deviation of its logarithm, and ends after 30 seconds", () => {
  const draws = createSeededRandom()
  const waits = Array.from({ length: 4_000 }, () =>
    delaySeconds({ seconds: 0.2, spread: 0.5 }, draws.next("any", "7").choice),
  )
  const sorted = waits.toSorted((a, b) => a - b)
  const logarithms = waits.map((seconds) => Math.log(seconds / 0.2))
  const deviation = Math.sqrt(logarithms.reduce((sum, each) => sum + each ** 2, 0) / waits.length)
  assert.ok(Math.abs((sorted[2_000] as number) - 0.2) < 0.01, `${sorted[2_000]}`)
  assert.ok(Math.abs(deviation - 0.5) < 0.03, `${deviation}`)
  assert.ok(Math.max(...[0, 0.5, 1 - 2 ** -32].map((draw) => delaySeconds({ seconds: 30, spread: 3 }, draw))) <= 30)
})

test("what has no meaning together is refused, and says why", async () => {
  for (const [prefer, expected] of [
    ["code=503, fault=html", /either code= or fault=html/],
    ["code=503, fault=reset", /either code= or fault=reset/],
    ["code=404; retry-after=3", /retry-after, which pet-not-found does not have/],
    ["code=503; retry-after=3; retry-after-date=3", /either retry-after or retry-after-date/],
    ["code=503; retry-after=soon", /whole seconds from 0 to 86400/],
    ["code=503; retry-after=86401", /whole seconds from 0 to 86400/],
    ["wait=1; spread=0.5; jitter=0.1", /either jitter or spread/],
    ["wait=1; spread=4", /spread=NUMBER from 0 to 3/],
    ["fault=rst", /known are drop, reset, html, lose, empty, truncate, garbage, slow/],
  ] as const) {
    const response = await sendPreferring("/pet/1", prefer)
    assert.equal(response.status, 400, prefer)
    assert.match(((await response.json()) as { detail: string }).detail, expected)
  }
})

test("a slow body arrives in pieces, complete; a response without a body is unchanged (slow)", async () => {
  const startedAt = performance.now()
  const response = await sendPreferring("/pet/1", "fault=slow")
  const pieces: Uint8Array[] = []
  for await (const piece of response.body as ReadableStream<Uint8Array>) pieces.push(piece)
  assert.ok(performance.now() - startedAt > 2_000)
  assert.ok(pieces.length > 5)
  assert.equal(Buffer.concat(pieces).toString(), await (await sendPreferring("/pet/1", "")).text())
  const empty = await sendPreferring("/pet/1", "fault=slow", { method: "HEAD" })
  assert.deepEqual({ status: empty.status, body: await empty.text() }, { status: 200, body: "" })
})

test("faults named together happen together", async () => {
  const response = await sendPreferring("/pet/1", "code=503, fault=truncate, wait=0")
  assert.equal(response.status, 503)
  assert.equal(response.headers.get("preference-applied"), "wait=0, code=overloaded, fault=truncate")
  await assert.rejects(response.text())
})

test("a share of the requests fails, the same ones for the same seed", async () => {
  const series = async (prefer: string, key: string) => {
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) statuses.push(await statusOf("/pet/1", prefer, key))
    return statuses
  }
  const first = await series("faults=0.3; seed=7, code=503", "special-key")
  assert.deepEqual(await series("faults=0.3; seed=7, code=503", "pro-key"), first)
  assert.notDeepEqual(await series("faults=0.3; seed=8, code=503", "special-key"), first)
  const failed = first.filter((status) => status === 503).length
  assert.ok(failed > 4 && failed < 20 && first.every((status) => status === 200 || status === 503), String(failed))
  assert.deepEqual(new Set(await series("faults=0, code=503", "special-key")), new Set([200]))
})

test("without a named fault, the faults are those that a correct client may meet (slow)", async () => {
  async function meet(): Promise<string> {
    const response = await sendPreferring("/pet/1", "faults=1; seed=a").catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    return text === undefined ? "broken" : String(response?.status)
  }
  const met = new Set(await Promise.all(Array.from({ length: 60 }, meet)))
  assert.deepEqual([...met].sort(), ["200", "429", "500", "502", "503", "broken"])
})

test("a seed that was not used for long restarts, and no more than a thousand are kept", () => {
  const draws = createSeededRandom()
  const first = draws.next("1", "a")
  assert.notDeepEqual(draws.next("1", "a"), first)
  assert.deepEqual(draws.next("2", "a"), first)
  for (let n = 0; n < 999; n++) draws.next("1", String(n))
  assert.deepEqual(draws.next("1", "a"), first)
  draws.forget()
  assert.deepEqual(draws.next("1", "a"), first)
})

test("one account holds 64 responses open and no more; those of disconnected clients no longer count (slow)", async () => {
  const open = await Promise.all(Array.from({ length: 65 }, () => rawConnection(petstore.url)))
  for (const connection of open)
    connection.send(`GET ${basePath}/pet/1 HTTP/1.1\r\nhost: x\r\napi_key: special-key\r\nprefer: wait=30\r\n\r\n`)
  const refused = await Promise.race(open.map((connection) => connection.response()))
  assert.deepEqual(
    { status: refused.status, "retry-after": refused.headers.get("retry-after") },
    { status: 503, "retry-after": "5" },
  )
  assert.equal(await statusOf("/pet/1", "wait=1"), 503)
  assert.equal(await statusOf("/pet/1", "code=404"), 404)
  assert.equal(await statusOf("/pet/1", "wait=1", "pro-key"), 200, "another account of the same address is refused")
  for (const connection of open) connection[Symbol.dispose]()
  while ((await statusOf("/pet/1", "wait=1")) !== 200);
})

test("responses of an account count together from all addresses; without an account those of an address do", () => {
  const refusedOf = (addressOf: (n: number) => string, caller?: Caller) => {
    const delays = createDelays()
    const enter = (n: number) => delays.enter(Object.assign(exchangeOf("/", { address: addressOf(n) }), { caller }))
    for (let n = 0; n < 64; n++) enter(n)
    return () => enter(64)
  }
  assert.throws(
    refusedOf((n) => `192.0.2.${n}`, principalOf(1).caller),
    /delayed at once/,
  )
  assert.throws(
    refusedOf((n) => `2001:db8::${n}`),
    /delayed at once/,
  )
  refusedOf((n) => `192.0.2.${n}`)()
})

test("a stopping service waits for no delayed response", async () => {
  const delays = createDelays()
  const exchange = exchangeOf("/")
  const held = delays.pause(exchange, 30_000)
  delays.drain()
  await held
  await delays.pause(exchange, 30_000)
  assert.equal(exchange.response.listenerCount("close"), 0)
})

test("in production faults are ignored like any unknown preference", async () => {
  const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" }
  await using production = await startPetstore({ env })
  const asked = { key: production.firstKey as string, url: production.url }
  for (const prefer of ["code=503", "fault=drop", "wait=31", "faults=1"]) {
    const response = await sendPreferring("/pet", prefer, asked)
    assert.deepEqual(
      { status: response.status, "preference-applied": response.headers.get("preference-applied") },
      { status: 200, "preference-applied": null },
      prefer,
    )
    const keys = await fetch(`${production.url}/oauth/jwks`, { headers: { prefer } })
    assert.deepEqual([keys.status, keys.headers.get("preference-applied")], [200, null], prefer)
  }
})

test("a success in Prefer asks for no fault, also beside a delay", async () => {
  for (const [prefer, applied] of [
    ["code=200", null],
    ["code=201", null],
    ["code=2XX", null],
    ["code=204, wait=0.01", "wait=0.01"],
  ] as const) {
    const response = await fetch(`${petstore.url}/api/v3/pet/1`, { headers: { api_key: "special-key", prefer } })
    assert.deepEqual([response.status, response.headers.get("preference-applied")], [200, applied], prefer)
    await response.bytes()
  }
})
