import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { pageBytesMax } from "../../src/core/kernel/endpoint/page.ts"
import { unreadBudgetsFor } from "../../src/core/server/limits/unread-budgets.ts"
import { addLargePets } from "../harness/large-pets.ts"
import { readMetrics, sumOf } from "../harness/metrics.ts"
import { startPetstore } from "../harness/petstore.ts"
import { type RawConnection, rawConnection } from "../harness/raw-http.ts"
import { until } from "../harness/until.ts"

type Petstore = Awaited<ReturnType<typeof startPetstore>>

const list = "/api/v3/pet/findByStatus?status=sold&limit=1000"
const mebibyte = 1024 * 1024

const json = { api_key: "special-key", "content-type": "application/json" }
const read = ({ url }: Petstore, path: string, headers: Record<string, string> = {}) =>
  fetch(url + path, { headers: { api_key: "special-key", ...headers } })

const unreadBytes = async (petstore: Petstore) => sumOf(await readMetrics(petstore), "petstore_unread_response_bytes")

/** A connection that requests more than its buffers hold, and reads nothing. */
async function unreadConnection({ url }: Petstore, key: string): Promise<RawConnection> {
  const connection = await rawConnection(url)
  connection.pause()
  connection.send(`GET ${list} HTTP/1.1\r\nHost: petstore\r\napi_key: ${key}\r\n\r\n`.repeat(10))
  return connection
}

/** Starts a service with budgets for three pages of an account and six in total, and a clock that only the test moves. */
async function startBounded() {
  let now = 0
  const petstore = await startPetstore({
    connectionLimits: { sweepMs: 1, now: () => now },
    unreadBudgets: { perAccount: 3 * pageBytesMax, total: 6 * pageBytesMax },
  })
  await addLargePets(petstore, 1000, 12)
  /** Opens a connection with this key that leaves its responses unread, beside `others`; resolves when its buffers are full. */
  async function leaveUnread(key: string, others: number): Promise<RawConnection> {
    const connection = await unreadConnection(petstore, key)
    let [same, last] = [0, 0]
    const isSettled = async () => {
      const bytes = await unreadBytes(petstore)
      same = bytes === last && bytes > (others + 0.5) * mebibyte ? same + 1 : 0
      last = bytes
      return same === 3
    }
    await until(isSettled, "unread bytes are not counted")
    return connection
  }
  const advance = (ms: number) => {
    now += ms
  }
  return { petstore, leaveUnread, advance, [Symbol.asyncDispose]: () => petstore[Symbol.asyncDispose]() }
}

describe("unread responses", () => {
  test("beyond an account's budget further requests return 503 uncounted, and the connection unread for longest is closed", async () => {
    await using service = await startBounded()
    const { petstore, leaveUnread, advance } = service
    const connections: RawConnection[] = []
    for (let n = 0; n < 3; n++) {
      connections.push(await leaveUnread("pro-key", n))
      advance(300)
    }
    advance(600)

    const refused = await read(petstore, list, { api_key: "pro-key" })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get("retry-after"), "2")
    const problem = (await refused.json()) as { code: string; detail: string }
    assert.equal(problem.code, "overloaded")
    assert.match(problem.detail, /have not read 3 MiB/)
    assert.equal(refused.headers.get("ratelimit"), null)
    assert.ok((await unreadBytes(petstore)) < 2.5 * mebibyte)
    assert.equal((await read(petstore, list)).status, 200)

    for (const connection of connections) connection.resume()
    await connections[0]?.closed
    for (const connection of connections.slice(1)) assert.equal((await connection.response()).status, 200)
    assert.equal((await read(petstore, list, { api_key: "pro-key" })).status, 200)
    for (const connection of connections) connection[Symbol.dispose]()
  })

  test("beyond the process's budget requests of all accounts return 503, except for small responses", async () => {
    await using service = await startBounded()
    const { petstore, leaveUnread, advance } = service
    using connections = new DisposableStack()
    const keys = ["special-key", "pro-key", "free-key"]
    for (let n = 0; n < 6; n++) connections.use(await leaveUnread(keys[n % 3] as string, n))
    // Accounts of a named sandbox are different ones.
    const other = () => read(petstore, "/s/other/api/v3/pet?limit=1")
    assert.equal((await other()).status, 503)
    assert.equal((await read(petstore, "/api/v3/pet/1")).status, 200)
    assert.ok((await unreadBytes(petstore)) > 5.5 * mebibyte, "a connection unread for less than a second was closed")
    advance(2_000)
    assert.equal((await other()).status, 503)
    assert.equal((await other()).status, 200)
  })

  test("a connection that reads less than 64 KiB per second is closed after 10 seconds; files and event streams are exempt", async () => {
    await using service = await startBounded()
    const { petstore, leaveUnread, advance } = service
    using stream = await rawConnection(petstore.url)
    stream.send("GET /api/v3/events/stream HTTP/1.1\r\nHost: petstore\r\napi_key: special-key\r\n\r\n")
    using file = await rawConnection(petstore.url)
    file.pause()
    const [, script] = /src="\.\/(assets\/scalar-[^"]+)"/.exec(await (await fetch(`${petstore.url}/docs`)).text()) ?? []
    file.send(`GET /${script} HTTP/1.1\r\nHost: petstore\r\n\r\n`.repeat(10))
    using slow = await leaveUnread("pro-key", 0)
    assert.ok((await unreadBytes(petstore)) < 1.5 * mebibyte, "a file shared by its readers is counted")

    advance(9_000)
    assert.ok((await unreadBytes(petstore)) > 0.5 * mebibyte)
    // The part of a 1 MiB page in the system's own buffers lasts at most 16 seconds.
    advance(17_500)
    await until(async () => (await unreadBytes(petstore)) === 0, "the slow connection is still open")
    slow.resume()
    await slow.closed
    assert.deepEqual({ file: file.isClosed, stream: stream.isClosed }, { file: false, stream: false })
  })

  test("a change beyond the budget is executed and its response sent, so that no executed change is reported as refused", async () => {
    await using service = await startBounded()
    const { petstore, leaveUnread } = service
    using connections = new DisposableStack()
    for (let n = 0; n < 3; n++) connections.use(await leaveUnread("special-key", n))
    const body = JSON.stringify({ name: "Rex", photoUrls: Array(50).fill("r".repeat(2000)) })
    const made = await fetch(`${petstore.url}/api/v3/pet`, { method: "POST", headers: json, body })
    assert.equal(made.status, 200)
    assert.equal(((await made.json()) as { name: string }).name, "Rex")
  })

  test("the budget of the process is an eighth of its memory, and that of an account an eighth of it", () => {
    assert.deepEqual(unreadBudgetsFor(1536 * mebibyte), {
      perConnection: 4 * mebibyte,
      perAccount: 24 * mebibyte,
      total: 192 * mebibyte,
    })
    assert.equal(unreadBudgetsFor(128 * mebibyte).total, 32 * mebibyte)
    assert.equal(unreadBudgetsFor(64 * 1024 * mebibyte).total, 256 * mebibyte)
  })
})
