import assert from "node:assert/strict"
import { beforeEach, test } from "node:test"
import { Webhook as Verifier } from "standardwebhooks"
import { newWebhook } from "../../src/core/domain/webhooks/rules.ts"
import { refusedAs } from "../harness/petstore.ts"
import { type Received, respondWith, startReceiver } from "../harness/receiver.ts"
import { use, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const store = petstore.as("special-key")
const receiver = use(startReceiver, "one for each test")

beforeEach(async () => {
  const { value } = await store.listWebhooks()
  for (const { id } of value) await store.deleteWebhook({ params: { webhookId: id } })
})

const pet = { name: "Rex", photoUrls: [] }
const register = async (more: object = {}) =>
  (await store.createWebhook({ body: { url: `${receiver.url}/hook`, ...more } })).value
const deliveriesOf = async (webhookId: number) => (await store.listDeliveries({ params: { webhookId } })).value

/** Verifies with the unmodified library, at the time of the test clock. */
const verified = (secret: string, { body, headers }: Received) =>
  atTheTestsTime(() => new Verifier(secret).verify(body, headers as Record<string, string>))

function atTheTestsTime<T>(work: () => T): T {
  const now = Date.now
  Date.now = () => petstore.clock.now()
  try {
    return work()
  } finally {
    Date.now = now
  }
}

test("a new pet is delivered as exactly the event in the contract, signed by Standard Webhooks", async () => {
  const { secret } = await register()
  const { value: created } = await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 1)
  const [first] = receiver.received as [Received]

  assert.deepEqual(verified(secret, first), {
    event: "pet.created",
    data: { id: created.id, name: "Rex", status: "available" },
    timestamp: new Date(petstore.clock.now()).toISOString(),
  })
  assert.equal(first.headers["content-type"], "application/json")
  assert.throws(() => verified(secret, { ...first, body: first.body.replace("Rex", "Max") }))
})

test("only selected kinds are delivered, and no earlier events", async () => {
  await store.addPet({ body: pet })
  await register({ events: ["pet.deleted"] })
  const { value } = await store.addPet({ body: pet })
  await store.deletePet({ params: { petId: value.id } })
  await petstore.worker.idle()
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body).event),
    ["pet.deleted"],
  )
})

test("the secret is shown once and stored sealed", async () => {
  const { id, secret, ...shown } = await register({ description: "ünï 🐕" })
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const { value } = await store.getWebhook({ params: { webhookId: id } })
  assert.deepEqual(value, { id, ...shown })
  const [sealed] = await petstore.store.webhooks.secrets(id, petstore.clock.now())
  const raw = Buffer.from(secret.slice("whsec_".length), "base64")
  const kept = Buffer.from(sealed ?? "", "base64url")
  assert.ok(kept.length > raw.length && !kept.includes(raw) && !kept.includes(secret))
})

test("a rotated secret signs beside the new one for 24 hours, then no longer", async () => {
  const { id, secret: old } = await register()
  const { value: rotated } = await store.rotateWebhookSecret({ params: { webhookId: id } })
  await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 1)
  for (const secret of [old, rotated.secret]) assert.ok(verified(secret, receiver.received[0] as Received))

  petstore.clock.advance(24 * 3_600_000 - 1)
  await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 2)
  for (const secret of [old, rotated.secret]) assert.ok(verified(secret, receiver.received[1] as Received))

  petstore.clock.advance(1)
  await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 3)
  assert.throws(() => verified(old, receiver.received[2] as Received))
  assert.ok(verified(rotated.secret, receiver.received[2] as Received))
})

test("without a secret that the key of the service opens nothing is sent, and the attempt says so", async () => {
  const { id } = await petstore.store.transaction(async (tx) => {
    const { id: accountId } = (await store.getOwnAccount()).value
    return tx.webhooks.add(newWebhook({ url: receiver.url }, accountId, petstore.clock.now()), "of another key")
  })
  await store.addPet({ body: pet })
  await petstore.worker.idle()
  const [delivery] = await deliveriesOf(id)
  assert.deepEqual([delivery?.lastAttempt?.error, receiver.received], ["unreadable-secret", []])
})

test("at most five secrets sign at once", async () => {
  const { id: webhookId } = await register()
  for (let n = 0; n < 4; n++) await store.rotateWebhookSecret({ params: { webhookId } })
  await assert.rejects(store.rotateWebhookSecret({ params: { webhookId } }), refusedAs("webhook-limit"))
})

test("an account has at most a hundred webhooks", async () => {
  for (let n = 0; n < 100; n++) await register()
  await assert.rejects(register(), refusedAs("webhook-limit"))
})

test("events of a paused webhook are kept and sent when it is resumed", async () => {
  const { id: webhookId } = await register()
  await store.updateWebhook({ params: { webhookId }, body: { status: "paused" } })
  await store.addPet({ body: pet })
  await petstore.worker.idle()
  assert.equal(receiver.received.length, 0)
  await store.updateWebhook({ params: { webhookId }, body: { status: "active" } })
  await receiver.until(({ length }) => length === 1)
})

test("a receiver that responds 410 is disabled, the account's other webhooks are notified, and a test enables it again", async () => {
  await using other = await startReceiver()
  const { id: webhookId } = await register({ events: ["pet.created"] })
  await register({ url: other.url, events: ["webhook.disabled"] })
  receiver.respond(respondWith(410))
  await store.addPet({ body: pet })
  await other.until(({ length }) => length === 1)
  assert.deepEqual(JSON.parse(other.received[0]?.body ?? "").data, {
    id: webhookId,
    url: `${receiver.url}/hook`,
    reason: "gone",
  })
  const { value: told } = await store.listAudit({ query: { action: "webhook.disabled" } })
  const by = { principal: "service", thing: `webhook:${webhookId}`, details: { reason: "gone" } }
  assert.partialDeepStrictEqual(told, [by])
  const refused = store.updateWebhook({ params: { webhookId }, body: { status: "paused" } })
  await assert.rejects(refused, refusedAs("webhook-disabled"))

  receiver.respond(respondWith(500))
  const { value: testing } = await store.updateWebhook({ params: { webhookId }, body: { status: "active" } })
  assert.equal(testing.status, "testing")
  await petstore.worker.idle()
  const { value: stillOff } = await store.getWebhook({ params: { webhookId } })
  assert.deepEqual(
    { status: stillOff.status, disabledReason: stillOff.disabledReason },
    { status: "disabled", disabledReason: "test-failed" },
  )

  receiver.respond(respondWith(200))
  await store.addPet({ body: pet })
  await store.updateWebhook({ params: { webhookId }, body: { status: "active" } })
  await receiver.until(({ length }) => length === 4)
  await petstore.worker.idle()
  const { value: on } = await store.getWebhook({ params: { webhookId } })
  assert.deepEqual(
    { status: on.status, disabledReason: on.disabledReason, failingSince: on.failingSince },
    { status: "active", disabledReason: undefined, failingSince: undefined },
  )
  const events = receiver.received.map(({ body }) => JSON.parse(body).event)
  assert.deepEqual(events, ["pet.created", "webhook.test", "webhook.test", "pet.created"])
})

test("a test event is delivered once, and its delivery shows request and outcome", async () => {
  const { id: webhookId, secret } = await register({ events: ["pet.deleted"] })
  receiver.respond((_request, response) => void response.writeHead(400).end("not\0 today"))
  const { value: sent } = await store.testWebhook({ params: { webhookId } })
  await receiver.until(({ length }) => length === 1)
  await petstore.worker.idle()
  assert.deepEqual((verified(secret, receiver.received[0] as Received) as { data: object }).data, { webhookId })
  const { value } = await store.getDelivery({ params: { webhookId, deliveryId: sent.id } })
  assert.deepEqual(
    [value.state, value.attempts, value.log.map(({ status, error, response }) => [status, error, response])],
    ["failed", 1, [[400, "status", "not\ufffd today"]]],
  )
  assert.equal(value.body, receiver.received[0]?.body)
})

test("the response for another account's webhook is exactly that for a missing webhook", async () => {
  const { id } = await register()
  const foreign = await petstore.store.transaction(async (tx) => {
    const account = await tx.accounts.add({ name: "other", plan: "enterprise" })
    const webhook = { ...(await tx.webhooks.read(id)), accountId: account.id }
    return tx.webhooks.add(webhook as Parameters<typeof tx.webhooks.add>[0], "sealed")
  })
  const seen = async (webhookId: number) => {
    const params = { webhookId, deliveryId: 1 }
    const body = { since: "2020-01-01T00:00:00Z" }
    const asked = [
      store.getWebhook({ params }),
      store.updateWebhook({ params, body: { status: "paused" } }),
      store.deleteWebhook({ params }),
      store.rotateWebhookSecret({ params }),
      store.testWebhook({ params }),
      store.listDeliveries({ params }),
      store.getDelivery({ params }),
      store.retryDelivery({ params }),
      store.retryFailedDeliveries({ params, body }),
    ]
    const problems = (await Promise.allSettled(asked)).map(
      (result) => result.status === "rejected" && result.reason.problem,
    )
    return JSON.stringify(problems.map(({ requestId, instance, ...rest }) => rest))
  }
  assert.equal(await seen(foreign.id), await seen(999_999))
  assert.ok((await seen(foreign.id)).includes("webhook-not-found"))
  assert.ok((await store.listWebhooks()).value.every(({ id }) => id !== foreign.id))
})

test("a deleted webhook receives no further events", async () => {
  const { id: webhookId } = await register()
  receiver.respond(respondWith(500))
  await store.addPet({ body: pet })
  await receiver.until(({ length }) => length === 1)
  await petstore.worker.idle()
  assert.equal((await deliveriesOf(webhookId))[0]?.state, "pending")
  await store.deleteWebhook({ params: { webhookId } })
  petstore.clock.advance(3_600_000)
  await petstore.worker.tick()
  await petstore.worker.idle()
  assert.equal(receiver.received.length, 1)
  await assert.rejects(store.getWebhook({ params: { webhookId } }), refusedAs("webhook-not-found"))
})
