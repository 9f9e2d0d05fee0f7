import assert from "node:assert/strict"
import { once } from "node:events"
import type { RequestListener } from "node:http"
import { type AddressInfo, createServer } from "node:net"
import { DatabaseSync } from "node:sqlite"
import { afterEach, describe, test } from "node:test"
import { publishAll } from "../../src/core/domain/events/publish.ts"
import { waitsMs } from "../../src/core/domain/webhooks/deliveries/rules.ts"
import type { Claim } from "../../src/core/domain/webhooks/deliveries/store.ts"
import { UnknownHost } from "../../src/core/workers/delivery/sending/resolve-name.ts"
import { serverUrl } from "../harness/database.ts"
import { refusedAs } from "../harness/petstore.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { newPet } from "../harness/samples.ts"
import { use, usePetstore } from "../harness/use.ts"

const failToResolve = async (host: string): Promise<string[]> => {
  throw new UnknownHost(host)
}

const petstore = usePetstore({
  delivery: { timeouts: { connectMs: 2000, attemptMs: 2000 }, random: () => 0.5, resolve: failToResolve },
})
const store = petstore.as("special-key")
const receiver = use(startReceiver, "one for each test")

afterEach(async () => {
  for (const { id } of (await store.listWebhooks()).value) await store.deleteWebhook({ params: { webhookId: id } })
})

const register = async (url: string, more: object = {}) =>
  (await store.createWebhook({ body: { url, events: ["pet.created"], ...more } })).value.id
const settled = async () => {
  await petstore.worker.tick()
  await petstore.worker.idle()
}
const deliveriesOf = async (webhookId: number) => (await store.listDeliveries({ params: { webhookId } })).value

/** Registers the URL, triggers one event, and resolves with the delivery after its first attempt. */
async function attemptAt(url: string) {
  const webhookId = await register(url)
  await newPet(store)
  await settled()
  const [delivery] = await deliveriesOf(webhookId)
  assert.ok(delivery)
  return { ...delivery, webhookId }
}

describe("every way a receiver can fail is logged by its name, and retried", () => {
  const garbage = use(startGarbage)

  const failures: { what: string; respond?: RequestListener; url?: () => string | Promise<string>; error: string }[] = [
    { what: "an error", respond: respondWith(500), error: "status" },
    { what: "no response (slow)", respond: () => {}, error: "timeout" },
    { what: "a reset", respond: (request) => void request.socket.destroy(), error: "reset" },
    { what: "no server", url: closedUrl, error: "connect" },
    { what: "another protocol", url: () => garbage.url, error: "malformed-response" },
    { what: "plain text where TLS is spoken", url: () => receiver.url.replace("http:", "https:"), error: "tls" },
    { what: "an unknown host", url: () => "https://no-such-host.invalid/", error: "dns" },
  ]
  for (const { what, respond = respondWith(200), url = () => receiver.url, error } of failures)
    test(what, async () => {
      receiver.respond(respond)
      await assertTriedAgain(await url(), error)
    })

  test("a redirect, which is not followed", async () => {
    receiver.respond(respondWith(302, { location: `${receiver.url}/elsewhere` }))
    await assertTriedAgain(receiver.url, "redirect")
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ["/"],
    )
  })

  async function assertTriedAgain(url: string, error: string): Promise<void> {
    const { state, lastAttempt, nextAttemptAt } = await attemptAt(url)
    assert.deepEqual({ state, error: lastAttempt?.error }, { state: "pending", error })
    const wait = Date.parse(nextAttemptAt ?? "") - petstore.clock.now() - (lastAttempt?.durationMs ?? 0)
    assert.equal(wait, 5000)
  }

  /** A port without a listener. */
  async function closedUrl(): Promise<string> {
    await using closed = await startReceiver()
    return closed.url
  }

  /** A server that speaks a protocol other than HTTP. */
  async function startGarbage() {
    const server = createServer((socket) => socket.end("SSH-2.0-OpenSSH\r\n\r\n")).listen(0, "127.0.0.1")
    await once(server, "listening")
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      [Symbol.asyncDispose]: async () => void server.close(),
    }
  }
})

test("an error that version 0.2.0 stored has its present name", { skip: serverUrl !== undefined }, async () => {
  receiver.respond(respondWith(500))
  const { id, webhookId } = await attemptAt(receiver.url)
  using db = new DatabaseSync(petstore.databaseFile, { timeout: 10_000 })
  db.exec("UPDATE delivery_attempts SET error = 'malformed-answer', answer = 'SSH'")
  // Readers of the service see it after its next commit.
  await register(receiver.url)
  const [delivery] = await deliveriesOf(webhookId)
  const { log } = (await store.getDelivery({ params: { webhookId, deliveryId: id } })).value
  for (const attempt of [delivery?.lastAttempt, log[0]])
    assert.deepEqual([attempt?.error, attempt?.response], ["malformed-response", "SSH"])
})

test("a receiver's response is stored up to 4 KiB, and a truncated response counts by its status", async () => {
  receiver.respond((_request, response) => {
    response.writeHead(200)
    const flood = () => {
      while (!response.destroyed && response.write("ü".repeat(8192)));
      if (!response.destroyed) response.once("drain", flood)
    }
    flood()
  })
  const { state, lastAttempt } = await attemptAt(receiver.url)
  assert.equal(state, "delivered")
  assert.equal(lastAttempt?.response, "ü".repeat(2048))

  receiver.respond((_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half")
    setImmediate(() => response.destroy())
  })
  const half = await attemptAt(receiver.url)
  assert.deepEqual({ state: half.state, status: half.lastAttempt?.status }, { state: "delivered", status: 200 })
})

test("Retry-After delays the next attempt and never advances it", async () => {
  receiver.respond(respondWith(429, { "retry-after": "120" }))
  const { nextAttemptAt, lastAttempt } = await attemptAt(receiver.url)
  const began = Date.parse(lastAttempt?.at ?? "") + (lastAttempt?.durationMs ?? 0)
  assert.equal(Date.parse(nextAttemptAt ?? "") - began, 120_000)

  receiver.respond(respondWith(503, { "retry-after": "0" }))
  const soon = await attemptAt(receiver.url)
  const soonBegan = Date.parse(soon.lastAttempt?.at ?? "") + (soon.lastAttempt?.durationMs ?? 0)
  assert.equal(Date.parse(soon.nextAttemptAt ?? "") - soonBegan, 5000)
})

test("ten attempts over more than 75 hours, each under the same id with its own signature, then the delivery has failed", async () => {
  receiver.respond(respondWith(500))
  const webhookId = await register(receiver.url)
  await newPet(store)
  await settled()
  for (const wait of waitsMs) {
    const before = receiver.received.length
    petstore.clock.advance(wait - 1)
    await settled()
    assert.equal(receiver.received.length, before, "not before its time")
    petstore.clock.advance(1 + 2000)
    await settled()
    assert.equal(receiver.received.length, before + 1, `after ${wait} ms`)
  }
  assert.equal(receiver.received.length, 10)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1)
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size, 10)
  const [delivery] = await deliveriesOf(webhookId)
  assert.deepEqual(
    { state: delivery?.state, attempts: delivery?.attempts, nextAttemptAt: delivery?.nextAttemptAt },
    { state: "failed", attempts: 10, nextAttemptAt: undefined },
  )
  assert.ok(waitsMs.reduce((sum, wait) => sum + wait, 0) > 75 * 3_600_000)

  receiver.respond(respondWith(200))
  const since = "2000-01-01T00:00:00Z"
  const { value } = await store.retryFailedDeliveries({ params: { webhookId }, query: { since } })
  assert.equal(value.retried, 1)
  await assert.rejects(store.retryFailedDeliveries({ params: { webhookId } }), refusedAs("invalid-parameter"))
  await settled()
  assert.equal((await deliveriesOf(webhookId))[0]?.state, "delivered")
})

test("one request retries a bounded number of failed deliveries, and says whether to repeat it (slow)", async () => {
  receiver.respond(respondWith(500))
  const webhookId = await register(receiver.url, { events: ["pet.updated"] })
  await store.updateWebhook({ params: { webhookId }, body: { status: "paused" } })
  await addFailedDeliveries(webhookId, 10_001)
  const retry = async () =>
    (await store.retryFailedDeliveries({ params: { webhookId }, body: { since: "2000-01-01T00:00:00Z" } })).value
  assert.deepEqual(await retry(), { retried: 10_000, more: true })
  assert.deepEqual(await retry(), { retried: 1, more: false })
  assert.deepEqual(await retry(), { retried: 0, more: false })
})

/** Deliveries of as many events, each as after its tenth attempt. */
async function addFailedDeliveries(webhookId: number, count: number): Promise<void> {
  const at = petstore.clock.now()
  await petstore.store.transaction(async (tx) => {
    for (let id = 1; id <= count; id++) await tx.events.add("pet.updated", { id, name: "Rex", status: "sold" }, at)
  })
  await petstore.store.transaction((tx) => publishAll(tx, at))
  const outcome = {
    at,
    durationMs: 1,
    status: 500,
    error: "status",
    response: undefined,
    retryAfterMs: undefined,
  } as const
  const page = { limit: 1_000 }
  await petstore.store.transaction(async (tx) => {
    for (let before: number | undefined; ; ) {
      const { items, next } = await tx.deliveries.list(webhookId, ["pending"], { ...page, before })
      const progress = { state: "failed", step: 10, dueAt: undefined } as const
      const ended = items.map(({ id: deliveryId, eventId, event: kind }) => {
        const json = "{}" as Claim["json"]
        const claim: Claim = {
          deliveryId,
          webhookId,
          eventId,
          kind,
          claim: 0,
          step: 9,
          isTest: false,
          json,
          leaseEnd: 0,
        }
        return { claim, outcome, progress }
      })
      if (ended.length > 0) await tx.deliveries.settle(ended)
      if (next === undefined) return
      before = next
    }
  })
}

test("the tenth failed attempt emits delivery.failed once, for other webhooks, and none about itself", async () => {
  await using other = await startReceiver()
  receiver.respond(respondWith(500))
  other.respond(respondWith(500))
  const failing = await register(receiver.url)
  const { value: told } = await store.createWebhook({ body: { url: other.url, events: ["delivery.failed"] } })
  await newPet(store)
  await settled()
  const { value: before } = await store.listEvents({ query: { limit: 1, sort: "-id" } })
  const failedEvents = async () =>
    (await store.listEvents({ query: { after: before[0]?.id as string } })).value.filter(
      ({ event }) => event === "delivery.failed",
    )
  for (const wait of waitsMs) {
    assert.deepEqual(await failedEvents(), [], "not before the last attempt")
    petstore.clock.advance(wait * 1.2)
    await settled()
  }
  const [delivery] = await deliveriesOf(failing)
  const data = { id: delivery?.id, webhookId: failing, eventId: delivery?.eventId, event: delivery?.event }
  assert.deepEqual(
    (await failedEvents()).map((event) => event.data),
    [data],
  )
  assert.deepEqual(JSON.parse(other.received[0]?.body ?? "").data, data)
  assert.equal((await deliveriesOf(failing)).length, 1, "the failing receiver is not told")
  for (const wait of waitsMs) {
    petstore.clock.advance(wait * 1.2)
    await settled()
  }
  assert.equal((await deliveriesOf(told.id))[0]?.state, "failed")
  assert.equal((await failedEvents()).length, 1, "no event about an event that was not delivered")
})

test("five days without a success disable a webhook; one success in between restarts the count", async () => {
  const day = 24 * 3_600_000
  receiver.respond(respondWith(500))
  const webhookId = await register(receiver.url)
  const read = async () => (await store.getWebhook({ params: { webhookId } })).value
  await newPet(store)
  await settled()
  assert.equal((await read()).failingSince, new Date(petstore.clock.now()).toISOString())

  petstore.clock.advance(4 * day)
  receiver.respond(respondWith(200))
  await newPet(store)
  await settled()
  assert.equal((await read()).failingSince, undefined)

  receiver.respond(respondWith(500))
  await newPet(store)
  await settled()
  petstore.clock.advance(5 * day - 1)
  await newPet(store)
  await settled()
  assert.equal((await read()).status, "active")
  petstore.clock.advance(1)
  await newPet(store)
  await settled()
  assert.deepEqual(
    { status: (await read()).status, disabledReason: (await read()).disabledReason },
    { status: "disabled", disabledReason: "failing" },
  )
  assert.ok((await deliveriesOf(webhookId)).length >= 4, "nothing is deleted")
})

test("an ordered webhook receives a pet's events one after the other, other pets' beside them", async () => {
  await register(receiver.url, { events: ["*"], ordered: true })
  receiver.respond(respondWith(500))
  const rex = await newPet(store)
  await settled()
  await store.patchPet({ params: { petId: rex }, body: { name: "Rexina" } })
  await store.deletePet({ params: { petId: rex } })
  const max = await newPet(store)
  await settled()
  const seen = () => receiver.received.map(({ body }) => [JSON.parse(body).event, JSON.parse(body).data.id])
  assert.deepEqual(seen(), [
    ["pet.created", rex],
    ["pet.created", max],
  ])
  receiver.respond(respondWith(200))
  petstore.clock.advance(6000)
  await settled()
  await settled()
  await settled()
  assert.deepEqual(
    seen()
      .slice(2)
      .filter(([, id]) => id === rex),
    [
      ["pet.created", rex],
      ["pet.updated", rex],
      ["pet.deleted", rex],
    ],
  )
})

test("the feed returns the same events under the same ids, after a cursor, to the accounts they concern (slow)", async () => {
  await register(receiver.url)
  const [last] = (await store.listEvents({ query: { sort: "-id", limit: 1 } })).value
  await newPet(store)
  await newPet(store)
  await settled()
  const sent = receiver.received.map(({ headers, body }) => ({ id: headers["webhook-id"], ...JSON.parse(body) }))
  const all: { id: string }[] = []
  for (;;) {
    const { value } = await store.listEvents({ query: { limit: 1, after: (all.at(-1) ?? last)?.id ?? "" } })
    if (value.length === 0) break
    all.push(...value)
  }
  assert.deepEqual(all, sent)
})
