import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { serverUrl } from "../harness/database.ts"
import { refusedAs } from "../harness/petstore.ts"
import { respondWith, startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

const rex = { body: { name: "Rex", photoUrls: [] } }

describe("a frozen clock", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({ env: { PETSTORE_ORDER_EXPIRY_DAYS: "7" }, streams: { checkMs: 20 } })
  const receiver = use(startReceiver)
  let count = 0

  function newSandbox() {
    const store = createSandboxClient({ url: petstore.url, name: `frozen-${++count}` })
    const as = (apiKey: string) => createPetstoreClient({ url: store.url, apiKey, retries: 0 })
    const setClock = async (body: { advance?: string; to?: string; freeze?: boolean }) =>
      (await store.advanceClock({ body })).value
    return { store, as, admin: as("special-key"), setClock }
  }

  test("stays where it was frozen while real time passes, and everything in the sandbox has that time", async () => {
    const { store, admin, setClock } = newSandbox()
    const frozen = await setClock({ freeze: true })
    assert.equal(frozen.frozen, true)
    petstore.clock.advance(3_600_000)
    assert.deepEqual((await store.getClock()).value, { time: frozen.time, aheadSeconds: -3600, frozen: true })
    const { value: key } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"] } })
    await admin.addPet(rex)
    assert.deepEqual([key.createdAt, (await admin.listEvents()).value[0]?.timestamp], [frozen.time, frozen.time])
    assert.deepEqual(new Set((await store.requests()).map(({ time }) => time)), new Set([frozen.time]))
  })

  test("moves by exactly what it is advanced, and to exactly the time that is named", async () => {
    const { setClock } = newSandbox()
    const at = { to: "2030-01-31T12:00:00Z", freeze: true }
    assert.equal((await setClock(at)).time, "2030-01-31T12:00:00.000Z")
    petstore.clock.advance(1_234)
    assert.equal((await setClock({ advance: "PT0.5S" })).time, "2030-01-31T12:00:00.500Z")
    assert.equal((await setClock({ to: "2030-02-01T00:00:00Z" })).time, "2030-02-01T00:00:00.000Z")
    await assert.rejects(setClock(at), refusedAs("invalid-body"))
  })

  test("runs on from there when it is released, also after an advance in the same request", async () => {
    const { store, setClock } = newSandbox()
    const { time } = await setClock({ freeze: true })
    petstore.clock.advance(10_000)
    const released = await setClock({ advance: "PT1S", freeze: false })
    assert.deepEqual([released.frozen, Date.parse(released.time) - Date.parse(time)], [false, 1_000])
    petstore.clock.advance(2_000)
    const { value } = await store.getClock()
    assert.deepEqual([Date.parse(value.time) - Date.parse(time), value.aheadSeconds], [3_000, -9])
  })

  test("freezing twice and releasing twice change nothing", async () => {
    const { setClock } = newSandbox()
    const one = await setClock({ freeze: true })
    petstore.clock.advance(5_000)
    assert.equal((await setClock({ freeze: true })).time, one.time)
    await setClock({ freeze: false })
    petstore.clock.advance(5_000)
    assert.equal(Date.parse((await setClock({ freeze: false })).time) - Date.parse(one.time), 5_000)
  })

  test("ends no minute of a plan, expires no key and cancels no order until it is advanced", async () => {
    const { as, admin, setClock } = newSandbox()
    const { time } = await setClock({ freeze: true })
    const expiresAt = new Date(Date.parse(time) + 60_000).toISOString()
    const { value: key } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"], expiresAt } })
    const read = { params: { petId: 1 } }
    for (let n = 0; n < 60; n++) await as("free-key").getPetById(read)
    petstore.clock.advance(30 * 86_400_000)
    await assert.rejects(as("free-key").getPetById(read), refusedAs("quota-exceeded"))
    await as(key.secret).getPetById(read)
    const advanced = await setClock({ advance: "PT60S" })
    assert.deepEqual([advanced.keysExpired, advanced.ordersCancelled], [1, 0])
    await as("free-key").getPetById(read)
    await assert.rejects(as(key.secret).getPetById(read), refusedAs("unauthorized"))
    assert.equal((await setClock({ advance: "P8D" })).ordersCancelled, 1)
  })

  test("attempts no delivery again until it is advanced, and then at times that are the same in every run", async () => {
    receiver.respond(respondWith(500))
    const times = async () => {
      const { store, admin, setClock } = newSandbox()
      await setClock({ to: "2030-01-01T00:00:00Z", freeze: true })
      await admin.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
      await admin.addPet(rex)
      assert.equal((await setClock({ advance: "PT0S" })).deliveriesAttempted, 1)
      petstore.clock.advance(86_400_000)
      assert.equal((await setClock({ advance: "PT0S" })).deliveriesAttempted, 0)
      assert.equal((await setClock({ advance: "PT10M" })).deliveriesAttempted, 2)
      const { value } = await admin.listDeliveries({ params: { webhookId: 1 } })
      assert.equal((await store.getClock()).value.time, "2030-01-01T00:10:00.000Z")
      return value.map(({ id, event, nextAttemptAt, lastAttempt }) => [
        id,
        event,
        nextAttemptAt,
        lastAttempt?.at,
        lastAttempt?.durationMs,
      ])
    }
    const one = await times()
    assert.deepEqual(await times(), one)
    assert.deepEqual(one[0]?.slice(2), ["2030-01-01T00:35:05.000Z", "2030-01-01T00:05:05.000Z", 0])
    receiver.respond(respondWith(204))
  })

  test("refuses the logins that would wait for a pause, because it would not end", async () => {
    const { admin, setClock } = newSandbox()
    await setClock({ freeze: true })
    const logIn = (password: string) => admin.logIn({ body: { username: "user2", password } })
    const refusals: string[] = []
    while (refusals.at(-1) !== "too-many-attempts" && refusals.length < 100)
      await logIn("wrong").catch(({ code }) => refusals.push(code))
    await assert.rejects(logIn("password2"), refusedAs("too-many-attempts"))
    await setClock({ advance: "PT15M" })
    assert.equal((await logIn("password2")).status, 200)
  })

  test("a stream has heartbeats, in real time", async () => {
    const { store, setClock } = newSandbox()
    await setClock({ freeze: true })
    const stopped = new AbortController()
    const headers = { api_key: "special-key" }
    const stream = await fetch(`${store.url}/api/v3/events/stream`, { headers, signal: stopped.signal })
    let received = ""
    for await (const piece of stream.body ?? []) {
      received += Buffer.from(piece).toString()
      if (received.includes(": nothing new")) break
      petstore.clock.advance(15_000)
    }
    stopped.abort()
  })

  test("a fork of the sandbox is frozen at the same time, and a reset returns to real time", async () => {
    const { store, setClock } = newSandbox()
    const { time } = await setClock({ advance: "P1D", freeze: true })
    await store.forkSandbox({ body: { name: "frozen-copy" } })
    petstore.clock.advance(60_000)
    const copy = createSandboxClient({ url: petstore.url, name: "frozen-copy" })
    const { value } = await copy.getClock()
    assert.deepEqual([value.time, value.frozen], [time, true])
    await copy.resetSandbox()
    const real = new Date(petstore.clock.now()).toISOString()
    assert.deepEqual((await copy.getClock()).value, { time: real, aheadSeconds: 0, frozen: false })
    assert.equal((await store.getClock()).value.time, time)
  })

  test("what has no meaning is refused, and changes nothing", async () => {
    const { store, setClock } = newSandbox()
    await setClock({ advance: "PT0S" })
    const own = createSandboxClient({ url: petstore.url })
    await assert.rejects(own.advanceClock({ body: { freeze: true } }), refusedAs("named-sandbox-required"))
    for (const body of [{}, { freeze: "yes" }, { freez: true }, { freeze: true, advance: "P1M" }])
      await assert.rejects(store.advanceClock({ body: body as object }), refusedAs("invalid-body"))
    assert.equal((await store.getClock()).value.frozen, false)
  })
})
