import assert from "node:assert/strict"
import { test } from "node:test"
import { forgetOld } from "../../src/core/workers/forget-old.ts"
import { startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"

const pet = { name: "Rex", photoUrls: [] }

test("deliveries and events are kept for 30 days and then deleted", async () => {
  await using receiver = await startReceiver()
  await using petstore = await startPetstore()
  const store = petstore.as("special-key")
  const { value } = await store.createWebhook({ body: { url: receiver.url } })
  await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 1)
  await petstore.worker.idle()
  const kept = async () => [
    (await store.listDeliveries({ params: { webhookId: value.id } })).value.length,
    (await store.listEvents()).value.length > 0,
  ]
  petstore.clock.advance(30 * 24 * 3_600_000)
  await forgetOld(petstore)
  assert.deepEqual(await kept(), [1, true])
  petstore.clock.advance(1)
  await forgetOld(petstore)
  assert.deepEqual(await kept(), [0, false])
})
