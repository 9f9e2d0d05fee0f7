import assert from "node:assert/strict"
import { test } from "node:test"
import { effort } from "../../../test/harness/effort.ts"
import { startPetstore } from "../../../test/harness/petstore.ts"
import { startReceiver } from "../../../test/harness/receiver.ts"

const events = effort(2000, 60)
const endpoints = 20
const dead = 5

test(`${events} events reach the living of ${endpoints} endpoints while ${dead} never answer`, async () => {
  await using living = await startReceiver()
  await using silent = await startReceiver()
  silent.respond(() => {})
  // Longer than the test: no attempt at a dead endpoint ends before the living have everything.
  await using petstore = await startPetstore({ delivery: { timeouts: { connectMs: 5000, attemptMs: 600_000 } } })
  const store = petstore.as("special-key")
  for (let n = 0; n < endpoints; n++)
    await store.createWebhook({ body: { url: `${n < dead ? silent.url : living.url}/${n}`, events: ["pet.created"] } })

  for (let n = 0; n < events; n += 20)
    await Promise.all(Array.from({ length: 20 }, () => store.createPet({ body: { name: "Rex", photoUrls: [] } })))
  await living.until(({ length }) => length === events * (endpoints - dead))
  for (const [, sent] of Map.groupBy(living.received, ({ path }) => path))
    assert.equal(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, events)
  assert.ok(silent.received.length <= dead * 16, "no endpoint has more than its share of attempts")
})
