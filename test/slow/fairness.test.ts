// Runs beside two other files at most.
import assert from "node:assert/strict"
import { test } from "node:test"
import { systemClock } from "../../src/core/kernel/clock.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"

const events = 60
const endpoints = 20
const dead = 5

test(`${events} events reach the live ones of ${endpoints} endpoints while ${dead} never respond`, async () => {
  await using live = await startReceiver()
  await using silent = await startReceiver()
  silent.respond(() => {})
  // Longer than the test: attempts at dead endpoints last until the live ones have received everything.
  await using petstore = await startPetstore({ delivery: { timeouts: { connectMs: 5000, attemptMs: 600_000 } } })
  const store = petstore.as("special-key")
  for (let n = 0; n < endpoints; n++)
    await store.createWebhook({ body: { url: `${n < dead ? silent.url : live.url}/${n}`, events: ["pet.created"] } })

  for (let n = 0; n < events; n += 20)
    await Promise.all(Array.from({ length: 20 }, () => store.addPet({ body: { name: "Rex", photoUrls: [] } })))
  await live.until(({ length }) => length === events * (endpoints - dead))
  for (const [, sent] of Map.groupBy(live.received, ({ path }) => path))
    assert.equal(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, events)
  assert.ok(silent.received.length <= dead * 16, "no endpoint exceeds its share of attempts")
})

test("over real sockets, 99 receivers of 11 accounts that drip or never respond delay a quick one by less than a second", async () => {
  await using quick = await startReceiver()
  await using slow = await startReceiver()
  slow.respond((request, response) => {
    if (request.url?.endsWith("drip")) response.writeHead(200).write("a")
  })
  await using petstore = await startPetstore({
    delivery: { clock: systemClock, timeouts: { connectMs: 5000, attemptMs: 15_000 } },
  })
  const store = petstore.as("special-key")
  for (let account = 0; account < 11; account++) {
    const { id: accountId } = (await store.createAccount({ body: { name: `${account}`, plan: "enterprise" } })).value
    const key = { name: "webhooks", scopes: ["manage:webhooks" as const], accountId }
    const { value } = await store.createKey({ body: key })
    for (let n = 0; n < 9; n++)
      await petstore.as(value.secret).createWebhook({ body: { url: `${slow.url}/${n % 2 ? "drip" : "silence"}` } })
  }
  await store.createWebhook({ body: { url: quick.url, events: ["pet.created"] } })

  const committed = new Map<string, number>()
  const began = performance.now()
  for (let n = 0; n < 100; n++) {
    await new Promise((resolve) => setTimeout(resolve, began + n * 20 - performance.now()))
    const { id } = (await store.addPet({ body: { name: "Rex", photoUrls: [] } })).value
    committed.set(`${id}`, performance.now())
  }
  await quick.until(({ length }) => length === 100)
  const waits = quick.received.map(({ at, body }) => at - (committed.get(`${JSON.parse(body).data.id}`) ?? Number.NaN))
  assert.ok(Math.max(...waits) < 1000, `the longest wait was ${Math.max(...waits)} ms`)
  assert.ok(slow.received.length >= 99)
})
