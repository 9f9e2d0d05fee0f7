import assert from "node:assert/strict"
import { test } from "node:test"
import { readEventStream, type StreamMessage } from "../../src/client/receiving/event-stream.ts"
import { replayBound } from "../../src/core/api/feeds/replay.ts"
import { streamsMax } from "../../src/core/api/feeds/stream-limits.ts"
import { type StartOptions, startPetstore } from "../harness/petstore.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { newPets } from "../harness/samples.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const quick: StartOptions = { streams: { checkMs: 20 } }
const petstore = usePetstore(quick, "one for each test")
const admin = petstore.as("special-key")

type RequestOptions = { key?: string; headers?: Record<string, string>; query?: string; url?: string }

const ask = (
  { key = "special-key", headers = {}, query = "", url = petstore.url }: RequestOptions = {},
  signal?: AbortSignal,
) => fetch(`${url}/api/v3/events/stream${query}`, { headers: { api_key: key, ...headers }, ...(signal && { signal }) })

/** An open stream: the text received so far, and how to disconnect. */
async function listen(asked: RequestOptions = {}) {
  const leave = new AbortController()
  const response = await ask(asked, leave.signal)
  assert.equal(response.status, 200, await (response.ok ? "" : response.text()))
  const messages: StreamMessage[] = []
  const events: { id: string; data: { id: number; name: string }; event: string }[] = []
  const ended = (async () => {
    for await (const message of readEventStream(response.body as AsyncIterable<Uint8Array>)) {
      messages.push(message)
      if (message.data !== undefined) events.push({ id: message.id, ...JSON.parse(message.data) })
    }
  })().then(
    () => "ended",
    () => "broken",
  )
  return {
    headers: response.headers,
    messages,
    events,
    ended,
    leave: () => leave.abort(),
    names: () => events.map(({ data }) => data.name),
    told: (count: number) => until(() => events.length >= count, `told ${events.length} events of ${count}`),
  }
}

test("events arrive as they happen, with the ids of the feed and the text of a webhook message", async () => {
  const stream = await listen()
  assert.equal(stream.headers.get("content-type"), "text/event-stream")
  await newPets(admin, "one", "two")
  await stream.told(2)
  const { text } = await admin.listEvents({ query: { limit: 1000 } })
  const feed = JSON.parse(text).slice(-2)
  assert.deepEqual(stream.events, feed)
  assert.deepEqual(
    stream.messages.filter(({ data }) => data !== undefined).map(({ id, data }) => `{"id":"${id}",${data?.slice(1)}`),
    feed.map((event: object) => JSON.stringify(event)),
  )
  stream.leave()
})

test("a client that has received no event resumes from its start position and misses nothing", async () => {
  const stream = await listen()
  await until(() => stream.messages.length > 0, "nothing opens the stream")
  const [{ id = "", data } = {}] = stream.messages
  assert.equal(data, undefined)
  stream.leave()
  await newPets(admin, "meanwhile")
  const again = await listen({ headers: { "last-event-id": id } })
  await again.told(1)
  assert.deepEqual(again.names(), ["meanwhile"])
  again.leave()
})

test("a stream starts after an id or a time; Last-Event-ID takes precedence over both", async () => {
  await newPets(admin, "early")
  petstore.clock.advance(60_000)
  const since = new Date(petstore.clock.now()).toISOString()
  await newPets(admin, "late", "later")
  const { value } = await admin.listEvents({ query: { limit: 1000 } })
  const [early, late] = value.slice(-3).map(({ id }) => id) as [string, string]
  for (const [asked, names] of [
    [{ query: `?after=${early}` }, ["late", "later"]],
    [{ query: `?since=${since}` }, ["late", "later"]],
    [{ query: `?after=${early}&since=${since}`, headers: { "last-event-id": late } }, ["later"]],
  ] as const) {
    const stream = await listen(asked)
    await stream.told(names.length)
    assert.deepEqual(stream.names(), names)
    stream.leave()
  }
  for (const asked of [
    { headers: { "last-event-id": "nonsense" } },
    { query: "?after=1" },
    { query: "?since=yesterday" },
    { query: "?since=2016-12-31T23:59:60Z" },
  ])
    assert.equal((await ask(asked)).status, 400)
})

test("a client that reconnects repeatedly during many writes receives every event once, in order (slow)", async () => {
  const writers = 6
  const each = 40
  await newPets(admin, "first")
  const writing = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; n < each; n++) await newPets(admin, `${writer}.${n}`)
    }),
  )
  const told: string[] = []
  let last = (await admin.listEvents({ query: { limit: 1000 } })).value.at(0)?.id as string
  for (let isOver = false; !isOver; ) {
    const stream = await listen({ headers: { "last-event-id": last } })
    const before = told.length
    await until(() => stream.events.length >= 17 || told.length + stream.events.length >= wanted(), "told nothing more")
    stream.leave()
    await stream.ended
    told.push(...stream.events.map(({ id }) => id))
    last = told.at(-1) ?? last
    assert.ok(told.length > before)
    isOver = told.length >= wanted()
  }
  await writing
  const { value } = await admin.listEvents({ query: { limit: 1000 } })
  assert.deepEqual(
    told,
    value.slice(1).map(({ id }) => id),
  )

  function wanted() {
    return writers * each
  }
})

test("every stream receives public events, and only the streams of an account receive its own, as in the feed", async () => {
  const { value: key } = await admin.createKey({ body: { name: "own", scopes: ["manage:webhooks", "write:orders"] } })
  const { value: account } = await admin.createAccount({ body: { name: "other", plan: "pro" } })
  const { value: other } = await admin.createKey({
    body: { name: "other", scopes: ["manage:webhooks"], accountId: account.id },
  })
  const [own, others] = [await listen({ key: key.secret }), await listen({ key: other.secret })]
  await admin.placeOrder({ body: { petId: 1 } })
  await own.told(2)
  await others.told(1)
  assert.deepEqual(own.events.map(({ event }) => event).sort(), ["order.placed", "pet.updated"])
  await newPets(admin, "last")
  await others.told(2)
  assert.deepEqual(
    others.events.map(({ event }) => event),
    ["pet.updated", "pet.created"],
  )
  own.leave()
  others.leave()
})

test("a stream counts as one request", async () => {
  const { value: account } = await admin.createAccount({ body: { name: "counted", plan: "free" } })
  const { value: counted } = await admin.createKey({
    body: { name: "k", scopes: ["manage:webhooks"], accountId: account.id },
  })
  const stream = await listen({ key: counted.secret })
  assert.match(stream.headers.get("ratelimit") ?? "", /"minute";r=59/)
  await newPets(admin, "a", "b", "c")
  await stream.told(3)
  stream.leave()
  const { headers } = await petstore.as(counted.secret).listEvents()
  assert.match(headers.get("ratelimit") ?? "", /"minute";r=58/)
})

test("an account has ten streams, and may open another when one has ended", async () => {
  const streams = await Promise.all(Array.from({ length: streamsMax.perAccount }, () => listen()))
  const refused = await ask()
  const { code } = (await refused.json()) as { code: string }
  assert.deepEqual({ status: refused.status, code }, { status: 429, code: "too-many-streams" })
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
  streams.pop()?.leave()
  await until(async () => {
    const again = new AbortController()
    const { status } = await ask({}, again.signal)
    again.abort()
    return status === 200
  }, "the place is not given back")
  for (const { leave } of streams) leave()
})

test("revoking its key ends a stream immediately, and no later event is sent", async () => {
  const { value: key } = await admin.createKey({ body: { name: "k", scopes: ["manage:webhooks"] } })
  const stream = await listen({ key: key.secret })
  const unconcerned = await listen()
  await newPets(admin, "before")
  await stream.told(1)
  await admin.revokeKey({ params: { id: key.id } })
  await newPets(admin, "after")
  assert.equal(await stream.ended, "ended")
  assert.deepEqual(stream.names(), ["before"])
  await unconcerned.told(2)
  unconcerned.leave()
  assert.equal((await ask({ key: key.secret })).status, 401)
})

test("a stream ends when its credential expires", async () => {
  const expiresAt = new Date(petstore.clock.now() + 60_000).toISOString()
  const { value: key } = await admin.createKey({ body: { name: "k", scopes: ["manage:webhooks"], expiresAt } })
  const stream = await listen({ key: key.secret })
  await newPets(admin, "before")
  await stream.told(1)
  petstore.clock.advance(59_999)
  await newPets(admin, "just before")
  await stream.told(2)
  petstore.clock.advance(1)
  await newPets(admin, "after")
  assert.equal(await stream.ended, "ended")
  assert.deepEqual(stream.names(), ["before", "just before"])
})

test("after a lost signal the stream ends at the next check of its credential", async () => {
  const { value: key } = await admin.createKey({ body: { name: "k", scopes: ["manage:webhooks"] } })
  const stream = await listen({ key: key.secret })
  // Written to storage directly: an operation would announce it.
  await petstore.store.transaction((tx) => tx.keys.revoke(key.id, 1, petstore.clock.now()))
  petstore.clock.advance(petstore.signals.maxDelayMs)
  assert.equal(await stream.ended, "ended")
})

test("a comment keeps an idle stream open, and carries the position that events of others have reached", async () => {
  const { value: account } = await admin.createAccount({ body: { name: "other", plan: "pro" } })
  const { value: other } = await admin.createKey({
    body: { name: "other", scopes: ["manage:webhooks"], accountId: account.id },
  })
  const stream = await listen({ key: other.secret })
  await until(() => stream.messages.length === 1, "nothing opens the stream")
  const { value: webhook } = await admin.createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  await admin.testWebhook({ params: { webhookId: webhook.id } })
  const ids = () => stream.messages.map(({ id }) => Number(id?.split("_")[1]))
  await until(() => {
    petstore.clock.advance(15_000)
    return stream.messages.length >= 2 && (ids().at(-1) as number) > (ids()[0] as number)
  }, "the place does not move")
  assert.deepEqual(stream.events, [])
  stream.leave()
})

test("HEAD returns the headers of GET and opens no stream; an Accept without event streams is refused", async () => {
  const url = `${petstore.url}/api/v3/events/stream`
  const head = await fetch(url, { method: "HEAD", headers: { api_key: "special-key" } })
  assert.deepEqual(
    { status: head.status, "content-type": head.headers.get("content-type") },
    { status: 200, "content-type": "text/event-stream" },
  )
  assert.equal((await ask({ headers: { accept: "application/json" } })).status, 406)
})

test("the log has one line per stream, at its end, and the metrics count open streams", async () => {
  const stream = await listen()
  assert.equal(await countOf(petstore), 1)
  const lines = () => petstore.lines.filter((line) => line.includes('"operation":"streamEvents"'))
  assert.deepEqual(lines(), [])
  stream.leave()
  await until(() => lines().length > 0, "no line")
  assert.equal(lines().length, 1)
  assert.match(lines()[0] ?? "", /"http.response.status_code":200,.*"account":1/)
  await until(async () => (await countOf(petstore)) === 0, "it is still counted")
})

test("stopping the service ends its streams immediately", async () => {
  const own = await startPetstore(quick)
  const stream = await listen({ url: own.url })
  const stopping = own[Symbol.asyncDispose]()
  assert.equal(await stream.ended, "ended")
  await stopping
})

test("replayed events count like the pages of the feed that hold as many, and wait while the plan is used up (slow)", async () => {
  const env = { PETSTORE_PLAN_FREE: "2/minute, 100/day" }
  await using own = await startPetstore({ ...quick, env })
  await own.store.transaction(async (tx) => {
    for (let id = 1; id <= 2_500; id++)
      await tx.events.add("pet.updated", { id, name: "Old", status: "sold" }, own.clock.now())
  })
  const body = { name: "own", scopes: ["manage:webhooks" as const], accountId: 3 }
  const { secret: key } = (await own.as("special-key").createKey({ body })).value
  const left = async () =>
    (await own.as(key).getOwnAccount()).value.limits.find(({ policy }) => policy === "minute")?.remaining
  const since = { key, url: own.url, query: "?since=1970-01-01T00:00:00Z" }
  const replayed = await listen(since)
  await replayed.told(2_000)
  assert.equal(await left(), 0)
  await own.as("special-key").addPet({ body: { name: "New", photoUrls: [] } })
  const refused = await ask(since)
  assert.equal(refused.status, 429)
  assert.equal(replayed.events.length, 2_000, "a third page was told within the minute")
  own.clock.advance(60_000)
  await replayed.told(2_501)
  assert.equal(replayed.names().at(-1), "New")
  replayed.leave()

  own.clock.advance(60_000)
  const live = await listen({ ...since, query: "" })
  assert.equal(await left(), 1)
  await own.as("special-key").addPet({ body: { name: "Live", photoUrls: [] } })
  await live.told(1)
  assert.equal(await left(), 1, "what happens now is counted")
  live.leave()
})

test("a stream whose request was not counted also pays for the first page of a replay", async () => {
  let pages = 0
  const bound = (isFirstPaid: boolean) =>
    replayBound(
      {
        isFirstPaid,
        async takePage() {
          pages++
          return undefined
        },
      },
      5,
    )
  for (const [isFirstPaid, after, taken] of [
    [true, 0, 0],
    [false, 0, 1],
    [false, 5, 0],
  ] as const) {
    pages = 0
    assert.equal(await bound(isFirstPaid).admits(after, () => 0), true)
    assert.equal(pages, taken)
  }
})

test("a client that does not read is disconnected, and one that reads all of a long stream is not (slow)", async () => {
  let now = 0
  await using own = await startPetstore({ ...quick, connectionLimits: { sweepMs: 10, now: () => now } })
  const name = "x".repeat(255)
  await own.store.transaction(async (tx) => {
    for (let id = 1; id <= longEvents; id++) await tx.events.add("pet.updated", { id, name, status: "sold" }, 0)
  })
  using deaf = await rawConnection(own.url)
  deaf.pause()
  deaf.send("GET /api/v3/events/stream?since=1970-01-01T00:00:00Z HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\n\r\n")
  const reader = await listen({ url: own.url, query: "?since=1970-01-01T00:00:00Z" })
  await reader.told(longEvents)
  assert.equal(reader.events.length, new Set(reader.events.map(({ id }) => id)).size)
  now += 60_000
  await until(async () => (await countOf(own)) === 1, "the deaf one is still there")
  await own.as("special-key").addPet({ body: { name: "at last", photoUrls: [] } })
  await reader.told(longEvents + 1)
  assert.equal(reader.names().at(-1), "at last")
  reader.leave()
})
/** More than the buffers of a socket hold: some 14 MB. */
const longEvents = 40_000

/** The number of streams in the metrics, which are refreshed once a second only. */
async function countOf({ url, clock }: Pick<typeof petstore, "url" | "clock">): Promise<number> {
  clock.advance(5_000)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^petstore_event_streams_active (\d+)$/m.exec(metrics)?.[1])
}
