import assert from "node:assert/strict"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { startPetstore, temporaryDirectory } from "../../../test/harness/petstore.ts"
import { startReceiver } from "../../../test/harness/receiver.ts"
import { openSealing } from "../../crypto/sealing-key.ts"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { forgetOld } from "../maintenance.ts"

const draft = {
  accountId: 1,
  url: "https://a.example/",
  description: undefined,
  events: ["pet.created"],
  ordered: false,
}
const fresh = {
  status: "paused",
  disabledReason: undefined,
  failingSince: undefined,
  lane: "new",
  averageMs: undefined,
  createdAt: 0,
} as const
const pet = { name: "Rex", photoUrls: [] }

test("many that claim at once never get the same delivery, and a late result changes nothing", async () => {
  await using petstore = await startPetstore()
  const { store, clock } = petstore
  const { id } = await store.transaction((tx) => tx.webhooks.add({ ...draft, ...fresh }, "sealed"))
  for (let n = 0; n < 30; n++) await petstore.as("special-key").createPet({ body: pet })
  await petstore.worker.tick()
  const now = clock.now()
  await petstore.worker.stop(AbortSignal.abort())
  await store.transaction(async (tx) => {
    const webhook = await tx.webhooks.lock(id)
    if (webhook) await tx.webhooks.put({ ...webhook, status: "active" })
  })
  const claim = () => store.transaction((tx) => tx.deliveries.claim(id, 10, now, now + 1000))
  const claims = (await Promise.all(Array.from({ length: 10 }, claim))).flat()
  assert.equal(claims.length, 30)
  assert.equal(new Set(claims.map(({ deliveryId }) => deliveryId)).size, 30)

  const [late] = claims
  assert.ok(late)
  const outcome = { at: now, durationMs: 1, status: 500, error: "status", answer: "", retryAfterMs: undefined } as const
  await store.transaction(async (tx) => {
    const [again] = (await tx.deliveries.claim(id, 30, now + 1000, now + 9000)).filter(
      ({ deliveryId }) => deliveryId === late.deliveryId,
    )
    assert.ok(again)
    await tx.deliveries.settle(again, { ...outcome, status: 200 } as never, {
      state: "delivered",
      step: 1,
      dueAt: undefined,
    })
    await tx.deliveries.settle(late, outcome, { state: "failed", step: 1, dueAt: undefined })
  })
  const delivery = await store.deliveries.read(late.deliveryId, id)
  assert.deepEqual([delivery?.state, delivery?.attempts], ["delivered", 2])
})

test("deliveries and events are kept for 30 days and forgotten after", async () => {
  await using receiver = await startReceiver()
  await using petstore = await startPetstore()
  const store = petstore.as("special-key")
  const { value } = await store.createWebhook({ body: { url: receiver.url } })
  await store.createPet({ body: pet })
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

test("a database with sealed secrets does not open without their key", async () => {
  await using petstore = await startPetstore()
  await petstore.as("special-key").createWebhook({ body: { url: "http://127.0.0.1:9/" } })
  using elsewhere = temporaryDirectory()
  const settings = { secretKey: undefined, dataDir: elsewhere.path }
  await assert.rejects(openSealing(petstore.store, settings), CannotStart)
  await assert.rejects(openSealing(petstore.store, { ...settings, secretKey: new Uint8Array(32) }), CannotStart)
  writeFileSync(join(elsewhere.path, "secret.key"), "half a k")
  await assert.rejects(openSealing(petstore.store, settings), CannotStart)
  rmSync(join(elsewhere.path, "secret.key"))
})
