// Runs in a process of its own.
import assert from "node:assert/strict"
import { randomInt } from "node:crypto"
import { test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { effort } from "../harness/effort.ts"
import { startReceiver } from "../harness/receiver.ts"
import { spawnPetstore } from "../harness/spawn.ts"

const rounds = effort(8, 1)
const writers = 4

test(`killed ${rounds} times while pets are created and events are delivered, no event of an acknowledged pet is lost`, async () => {
  await using receiver = await startReceiver()
  await using petstore = await spawnPetstore()
  await petstore.as("special-key").createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
  const acknowledged = new Set<number>()

  for (let round = 0; round < rounds; round++) {
    const store = petstore.as("special-key")
    const writing = Array.from({ length: writers }, async () => {
      for (;;) acknowledged.add((await store.addPet({ body: { name: `round ${round}`, photoUrls: [] } })).value.id)
    })
    // Each round tests a random moment, once a pet is acknowledged.
    while (acknowledged.size === 0) await after(1)
    await after(randomInt(10, 150))
    const killed = petstore.kill("SIGKILL")
    await Promise.allSettled(writing)
    await killed
    await petstore.restart()
  }

  const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id as number))
  await receiver.until(() => acknowledged.difference(arrived()).size === 0)
  const store = petstore.as("special-key")
  for (const petId of arrived().difference(acknowledged)) await store.getPetById({ params: { petId } })

  const idsOf = Map.groupBy(receiver.received, ({ body }) => JSON.parse(body).data.id as number)
  for (const [petId, sent] of idsOf)
    assert.equal(new Set(sent.map(({ headers }) => headers["webhook-id"])).size, 1, `pet ${petId}`)
  assert.ok(acknowledged.size > 0)
})
