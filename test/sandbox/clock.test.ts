import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { verifyWebhook, WebhookRefused } from "../../src/client/receiving/webhooks.ts"
import { api } from "../../src/core/domain/api.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { makeImage, urlOf } from "../harness/images.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

describe("the clock of a named sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({ env: { PETSTORE_ORDER_EXPIRY_DAYS: "7" } })
  const receiver = use(startReceiver)
  let count = 0

  /** A new sandbox: clients of it, by key or token, and its clock. */
  function newSandbox(url = petstore.url) {
    const base = `${url}/s/clock-${++count}`
    const client = (headers: Record<string, string>) => createClient({ ...api, ...sandbox }, { url: base, headers })
    const admin = client({ api_key: "special-key" })
    const advance = async (duration: string) => (await admin.advanceClock({ body: { advance: duration } })).value
    const statusOf = async (headers: Record<string, string>, path = "/pet/1", init: RequestInit = {}) =>
      (await fetch(`${base}/api/v3${path}`, { ...init, headers: { ...headers, ...init.headers } })).status
    return { base, admin, as: (key: string) => client({ api_key: key }), client, advance, statusOf }
  }
  const rex = { body: { name: "Rex", photoUrls: [] } }

  test("the minute of a plan ends with the sixtieth second, and not before (slow)", async () => {
    const { advance, statusOf } = newSandbox()
    const free = { api_key: "free-key" }
    for (let n = 0; n < 60; n++) assert.equal(await statusOf(free), 200)
    assert.equal(await statusOf(free), 429)
    await advance("PT59S")
    assert.equal(await statusOf(free), 429)
    await advance("PT1S")
    assert.equal(await statusOf(free), 200)
  })

  test("the day of a plan ends a day after its first requests, to the minute (slow)", async () => {
    const { advance, statusOf } = newSandbox()
    const free = { api_key: "free-key" }
    for (let minute = 0; minute < 17; minute++, await advance("PT1M"))
      for (let n = 0; n < 60; n++) assert.equal(await statusOf(free), minute * 60 + n < 1000 ? 200 : 429)
    await advance("PT23H42M")
    assert.equal(await statusOf(free), 429)
    await advance("PT2M")
    assert.equal(await statusOf(free), 200)
  })

  test("a key works until it expires, and an advance says how many expired", async () => {
    const { admin, advance, statusOf } = newSandbox()
    const clock = await advance("PT0S")
    const expiresAt = new Date(Date.parse(clock.time) + 3_600_000).toISOString()
    const { value: key } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"], expiresAt } })
    assert.equal((await advance("PT59M59S")).keysExpired, 0)
    assert.equal(await statusOf({ api_key: key.secret }), 200)
    assert.equal((await advance("PT1S")).keysExpired, 1)
    assert.equal(await statusOf({ api_key: key.secret }), 401)
  })

  test("a rotated key works for the overlap", async () => {
    const { admin, advance, statusOf } = newSandbox()
    const { value: old } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"] } })
    await admin.rotateKey({ params: { id: old.id } })
    await advance("PT23H59M59S")
    assert.equal(await statusOf({ api_key: old.secret }), 200)
    await advance("PT1S")
    assert.equal(await statusOf({ api_key: old.secret }), 401)
  })

  test("a session ends when its login said, and an open stream with it (slow)", async () => {
    const { base, admin, client, advance, statusOf } = newSandbox()
    const { value: token, headers } = await admin.logIn({ body: { username: "admin", password: "admin" } })
    const { value: clock } = await admin.getClock()
    const seconds = (Date.parse(headers.get("x-expires-after") ?? "") - Date.parse(clock.time)) / 1000
    assert.ok(seconds > 60, "a login lasts for more than a minute")
    const authorization = `Bearer ${token}`
    const stream = await fetch(`${base}/api/v3/events/stream`, { headers: { authorization } })
    await advance(`PT${seconds - 1}S`)
    assert.equal((await client({ authorization }).getPetById({ params: { petId: 1 } })).status, 200)
    await advance("PT1S")
    assert.equal(await statusOf({ authorization }), 401)
    assert.match(await stream.text(), /^retry:/)
  })

  test("a stored response is returned for a day, and then the request is carried out again", async () => {
    const { admin, advance } = newSandbox()
    const add = async () => (await admin.addPet({ ...rex, idempotencyKey: "one" })).value.id
    const id = await add()
    await advance("PT23H59M59S")
    assert.equal(await add(), id)
    await advance("PT2S")
    assert.equal(await add(), id + 1)
  })

  test("failed logins are refused for a quarter of an hour", async () => {
    const { admin, advance } = newSandbox()
    const logIn = (password: string) => admin.logIn({ body: { username: "user2", password } })
    const refusals: string[] = []
    while (refusals.at(-1) !== "too-many-attempts" && refusals.length < 100)
      await logIn("wrong").catch(({ code }) => refusals.push(code))
    await advance("PT14M59S")
    await assert.rejects(logIn("password2"), refusedAs("too-many-attempts"))
    await advance("PT1S")
    assert.equal((await logIn("password2")).status, 200)
  })

  test("an order that is not approved is cancelled after its time, and its webhook is called before the response", async () => {
    const { admin, advance } = newSandbox()
    await admin.createWebhook({ body: { url: receiver.url, events: ["order.cancelled"] } })
    await admin.deleteOrder({ params: { orderId: 1 } })
    const { value: order } = await admin.placeOrder({ body: { petId: 1 } })
    const { value: placed } = await admin.getClock()
    const before = receiver.received.length
    assert.equal((await advance("PT167H59M59S")).ordersCancelled, 0)
    const { ordersCancelled, deliveriesAttempted } = await advance("P30D")
    assert.deepEqual([ordersCancelled, deliveriesAttempted], [1, 1])
    const cancelled = JSON.parse(receiver.received[before]?.body as string)
    assert.equal(cancelled.data.id, order.id)
    assert.equal(Math.floor((Date.parse(cancelled.timestamp) - Date.parse(placed.time)) / 1000), 7 * 86_400)
  })

  test("both secrets of a webhook sign for a day after a rotation, at the real time", async () => {
    const { admin, advance } = newSandbox()
    const { value: hook } = await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    const params = { webhookId: hook.id }
    const { value: rotated } = await admin.rotateWebhookSecret({ params })
    const signaturesOfNext = async () => {
      const before = receiver.received.length
      await admin.addPet(rex)
      await receiver.until((all) => all.length > before)
      const { headers, body } = receiver.received[before] as (typeof receiver.received)[number]
      const now = petstore.clock.now()
      assert.equal(Number(headers["webhook-timestamp"]), Math.floor(now / 1000))
      const opens = (secret: string) =>
        verifyWebhook({ headers: headers as Record<string, string>, body }, { secret, now: () => now }).then(
          () => true,
          (error) => assert.ok(error instanceof WebhookRefused) as undefined,
        )
      return [await opens(hook.secret), await opens(rotated.secret)]
    }
    await advance("PT23H59M59S")
    assert.deepEqual(await signaturesOfNext(), [true, true])
    await advance("PT1S")
    assert.deepEqual(await signaturesOfNext(), [undefined, true])
  })

  test("a delivery is attempted ten times, each after its delay, and all of them in one advance (slow)", async () => {
    const hours = (count: number) => count * 3600
    const delays = [5, 300, 1800, hours(2), hours(5), hours(10), hours(14), hours(20), hours(24)]
    const { admin, advance } = newSandbox()
    receiver.respond(respondWith(500))
    await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await admin.addPet(rex)
    assert.equal((await advance("PT0S")).deliveriesAttempted, 1)
    for (const delay of delays) {
      const { value: deliveries } = await admin.listDeliveries({ params: { webhookId: 1 }, query: {} })
      const due = Date.parse(deliveries[0]?.nextAttemptAt as string) / 1000
      const now = Date.parse((await admin.getClock()).value.time) / 1000
      assert.ok(Math.abs(due - now - delay) <= 0.1 * delay + 1, `${due - now} s instead of ${delay} s`)
      assert.equal((await advance(`PT${Math.ceil(due - now) - 2}S`)).deliveriesAttempted, 0)
      assert.equal((await advance("PT3S")).deliveriesAttempted, 1)
    }
    assert.equal((await advance("P5D")).deliveriesAttempted, 0)

    const other = newSandbox()
    await other.admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await other.admin.addPet(rex)
    assert.equal((await other.advance("P5D")).deliveriesAttempted, 10)
    receiver.respond(respondWith(204))
  })

  test("a webhook without a success is disabled after five days, and not before", async () => {
    const { admin, advance } = newSandbox()
    receiver.respond(respondWith(503, { "retry-after": "3600" }))
    const { value: hook } = await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    const statusOf = async () => (await admin.getWebhook({ params: { webhookId: hook.id } })).value.status
    await admin.addPet(rex)
    await advance("PT119H59M")
    await admin.addPet(rex)
    await advance("PT0S")
    assert.equal(await statusOf(), "active")
    await advance("PT2H")
    assert.equal(await statusOf(), "disabled")
    receiver.respond(respondWith(204))
  })

  test("events and deliveries are kept for 30 days, audit entries for a year", async () => {
    const { admin, advance } = newSandbox()
    await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await admin.addPet(rex)
    await advance("PT719H")
    const kept = async () => [
      (await admin.listEvents()).value.filter(({ event }) => event === "pet.created").length,
      (await admin.listDeliveries({ params: { webhookId: 1 }, query: {} })).value.length,
      (await admin.listAudit()).value.filter(({ action }) => action === "webhook.created").length,
    ]
    assert.deepEqual(await kept(), [1, 1, 1])
    await advance("PT1H1S")
    assert.deepEqual(await kept(), [0, 0, 1])
    await advance("P334D")
    assert.deepEqual(await kept(), [0, 0, 1])
    await advance("P2D")
    assert.deepEqual(await kept(), [0, 0, 0])
  })

  test("an image is served for a day after the last pet referred to it (slow)", async () => {
    const { admin, advance, base } = newSandbox()
    const upload = new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" })
    const { value: pet } = await admin.addPet(rex)
    const url = urlOf(await admin.uploadFile({ params: { petId: pet.id }, upload }))
    assert.ok(url.startsWith(base))
    await admin.deletePet({ params: { petId: pet.id } })
    await advance("PT23H59M59S")
    assert.equal((await fetch(url)).status, 200)
    await advance("PT1S")
    assert.equal((await fetch(url)).status, 200)
    await advance("PT1S")
    assert.equal((await fetch(url)).status, 404)
  })

  test("resources and events have its time, responses the real one; no other sandbox changes, and a reset returns to real time (slow)", async () => {
    const [one, other] = [newSandbox(), newSandbox()]
    const { value } = await one.admin.advanceClock({ body: { to: "2030-01-31T12:00:00Z" } })
    assert.deepEqual([value.time, value.isComplete], ["2030-01-31T12:00:00.000Z", true])
    const { value: key } = await one.admin.createKey({ body: { name: "own", scopes: ["admin"] } })
    assert.equal(key.createdAt, value.time)
    const { headers } = await one.admin.addPet(rex)
    assert.ok(Math.abs(Date.parse(headers.get("date") ?? "") - Date.now()) < 10_000)
    assert.equal((await one.admin.listEvents()).value[0]?.timestamp, value.time)
    assert.equal((await other.advance("PT0S")).aheadSeconds, 0)
    const own = createClient({ ...api, ...sandbox }, { url: petstore.url, headers: { api_key: "special-key" } })
    assert.deepEqual((await own.getClock()).value.aheadSeconds, 0)
    await one.admin.resetSandbox({ query: {} })
    const { value: after } = await one.admin.getClock()
    assert.deepEqual(after, { time: new Date(petstore.clock.now()).toISOString(), aheadSeconds: 0, frozen: false })
    const free = { api_key: "free-key" }
    for (let n = 0; n < 60; n++) assert.equal(await one.statusOf(free), 200)
    assert.equal(await one.statusOf(free), 429)
  })

  test("it moves forward only, and several advances at once take place one after the other", async () => {
    const { admin, advance } = newSandbox()
    const start = Date.parse((await advance("PT0S")).time)
    const all = await Promise.all(Array.from({ length: 5 }, () => advance("P1D")))
    assert.deepEqual(
      all.map(({ aheadSeconds }) => aheadSeconds / 86_400).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5],
    )
    const bad = [
      { to: new Date(start).toISOString() },
      { to: "2100-01-01T00:00:00Z" },
      { advance: "P36500D" },
      { advance: "P1M" },
      { advance: "-P1D" },
      { advance: "P" },
      { advance: "PT" },
      { advance: "PT1.5H" },
      { advance: "PT.5S" },
      { advance: "P1D", to: "2099-01-01T00:00:00Z" },
      {},
    ]
    for (const body of bad)
      await assert.rejects(admin.advanceClock({ body }), refusedAs("invalid-body"), JSON.stringify(body))
    assert.equal((await admin.getClock()).value.aheadSeconds, 5 * 86_400)
  })

  test("seconds may have a fraction", async () => {
    const { advance } = newSandbox()
    const start = Date.parse((await advance("PT0S")).time)
    for (const [duration, ms] of [
      ["PT0.5S", 500],
      ["PT1M0,25S", 60_750],
      ["PT1.005S", 61_755],
    ] as const)
      assert.equal(Date.parse((await advance(duration)).time) - start, ms)
  })

  test("a leap second is the second after it, and a time that no clock has is refused", async () => {
    const { admin } = newSandbox()
    const to = async (time: string) => (await admin.advanceClock({ body: { to: time } })).value.time
    assert.equal(await to("2030-12-31T23:59:60Z"), "2031-01-01T00:00:00.000Z")
    await assert.rejects(to("2031-02-30T00:00:00Z"), refusedAs("invalid-body"))
    assert.equal((await admin.listRequests({ query: { since: "2030-12-31T23:59:60Z" } })).value.length, 0)
    assert.equal((await admin.listRequests({ query: { since: "2016-12-31T23:59:60Z" } })).value.length, 2)
    const expiresAt = "2031-12-31T23:59:60Z"
    const { value: key } = await admin.createKey({ body: { name: "leap", scopes: ["read:pets"], expiresAt } })
    assert.equal(key.expiresAt, "2032-01-01T00:00:00.000Z")
  })

  test("a receiver that calls the sandbox back during an advance gets its response", async () => {
    const { admin, advance, base } = newSandbox()
    receiver.respond((_, response) => {
      void fetch(`${base}/api/v3/pet/1`, { headers: { api_key: "special-key" } }).then(({ status }) =>
        response.writeHead(status).end(),
      )
    })
    await admin.createWebhook({ body: { url: receiver.url, events: ["order.cancelled"] } })
    await admin.placeOrder({ body: { petId: 1 } })
    await advance("P8D")
    const { value: deliveries } = await admin.listDeliveries({ params: { webhookId: 1 }, query: {} })
    assert.deepEqual(
      deliveries.map(({ state, attempts, lastAttempt }) => [state, attempts, lastAttempt?.status]),
      [["delivered", 1, 200]],
    )
    receiver.respond(respondWith(204))
  })

  test("a receiver that advances the clock during an advance is refused instead of waiting for itself", async () => {
    const { admin, advance, base } = newSandbox()
    const codes: unknown[] = []
    receiver.respond(async (_, response) => {
      const refused = await fetch(`${base}/api/v3/sandbox/clock`, {
        method: "POST",
        headers: { api_key: "special-key", "content-type": "application/json" },
        body: '{"advance":"PT1M"}',
      })
      codes.push([refused.status, ((await refused.json()) as { code: string }).code])
      response.writeHead(204).end()
    })
    await admin.createWebhook({ body: { url: receiver.url, events: ["order.cancelled"] } })
    await admin.placeOrder({ body: { petId: 1 } })
    const { isComplete, aheadSeconds } = await advance("P8D")
    assert.deepEqual([isComplete, aheadSeconds, codes], [true, 8 * 86_400, [[409, "clock-advancing"]]])
    receiver.respond(respondWith(204))
    assert.equal((await advance("PT1M")).isComplete, true)
  })

  test("a receiver that advances the clock during a first attempt is refused before its attempt fails (slow)", async () => {
    await using patient = await startPetstore({ delivery: { timeouts: { connectMs: 5_000, attemptMs: 15_000 } } })
    const { admin, base } = newSandbox(patient.url)
    const refused = Promise.withResolvers<string>()
    receiver.respond(async (_, response) => {
      const headers = { api_key: "special-key", "content-type": "application/json" }
      const sent = await fetch(`${base}/api/v3/sandbox/clock`, { method: "POST", headers, body: '{"advance":"PT1M"}' })
      response.writeHead(204).end()
      refused.resolve(((await sent.json()) as { code: string }).code)
    })
    const { value: webhook } = await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await admin.addPet(rex)
    assert.equal(await refused.promise, "clock-advancing")
    await until(async () => {
      const { value } = await admin.listDeliveries({ params: { webhookId: webhook.id } })
      return value.every(({ state, attempts }) => state === "delivered" && attempts === 1)
    }, "the first attempt is delivered")
    receiver.respond(respondWith(204))
  })

  test("a reset ends an advance that waits for a receiver, and those that wait for it", async () => {
    const { admin, advance } = newSandbox()
    const reached = Promise.withResolvers<void>()
    receiver.respond(() => reached.resolve())
    await admin.createWebhook({ body: { url: receiver.url, events: ["order.cancelled"] } })
    await admin.placeOrder({ body: { petId: 1 } })
    const advances = [advance("P8D"), advance("P1D")]
    await reached.promise
    const startedAt = performance.now()
    await admin.resetSandbox({ query: {} })
    assert.ok(performance.now() - startedAt < 4_000, `${performance.now() - startedAt} ms`)
    const ended = await Promise.all(advances)
    assert.deepEqual(
      ended.map(({ isComplete }) => isComplete),
      [false, false],
    )
    assert.equal((await admin.getClock()).value.aheadSeconds, 0)
    receiver.respond(respondWith(204))
    assert.equal((await advance("P1D")).aheadSeconds, 86_400)
  })

  test("a receiver that never responds ends an advance in time, which says how far it came (slow)", async () => {
    const delivery = { timeouts: { connectMs: 1_000, attemptMs: 200 } }
    const { promise: timeIsUp, resolve: endTime } = Promise.withResolvers<void>()
    const limits = [timeIsUp]
    // Not a number of milliseconds: how many attempts fit into one depends on the machine.
    const limitAdvance = () => limits.shift() ?? new Promise(() => {})
    await using hurried = await startPetstore({ sandboxes: { limitAdvance }, delivery })
    const { admin, advance } = newSandbox(hurried.url)
    let attempts = 0
    receiver.respond(() => {
      if (++attempts === 3) endTime()
    })
    await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await admin.addPet(rex)
    const first = await advance("P7D")
    assert.equal(first.isComplete, false)
    assert.ok(first.deliveriesAttempted > 1 && first.deliveriesAttempted < 10, `${first.deliveriesAttempted}`)
    assert.ok(first.aheadSeconds < 7 * 86_400)
    receiver.respond(respondWith(204))
    assert.deepEqual((await advance("P7D")).isComplete, true)
  })
})
