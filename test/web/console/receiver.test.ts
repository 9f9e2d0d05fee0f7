import assert from "node:assert/strict"
import { test } from "node:test"
import { aesSealing } from "../../../src/core/crypto/aes-gcm.ts"
import { sealedFor } from "../../../src/core/domain/ports/sealing.ts"
import { createWebhookReceivers } from "../../../src/parts/sandbox/console/webhook-receiver.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { exchangeOf } from "../../harness/exchange.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { newPet } from "../../harness/samples.ts"
import { until } from "../../harness/until.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))

/** The address of the receiver that a page shows. */
const addressIn = (html: string) => /data-copy="([^"]*\/receiver\/[^"]+)"/.exec(html)?.[1] ?? ""

/** An administrator who acts for the first account. */
async function receiving(service: Pick<typeof petstore, "as" | "url"> = petstore) {
  const admin = await signedIn(service, "admin")
  await admin.go("/console/accounts/1")
  await admin.submit({ action: "act" })
  return admin
}

test("the receiver shows what a webhook sends, verifies its signature, and responds as chosen", async () => {
  const admin = await receiving()
  assert.match((await admin.go("/console/webhooks")).html, /href="[^"]*\/console\/receiver">Receiver</)
  assert.match((await admin.go("/console/receiver")).html, /Nothing was received yet/)
  assert.match((await admin.submit({ action: "create" })).html, /Every event of this account is sent here/)
  const [webhook] = (await petstore.as("special-key").listWebhooks()).value
  assert.equal(webhook?.url, addressIn((await admin.go("/console/receiver")).html))

  assert.match(
    (await admin.go("/console/receiver")).html,
    /<a href="[^"]*\/webhooks\/\d+">Receiver in the console<\/a> sends here/,
  )

  await newPet(petstore.as("special-key"), { name: "Received" })
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test((await admin.go("/console/receiver")).html), String(pattern))
  const verified = /<strong>pet\.created<\/strong> <span class="badge good">signature verified<\/span>/
  await shows(verified)
  // A message is as old as it was when it arrived.
  petstore.clock.advance(3_600_000)
  await shows(verified)
  assert.match((await admin.go("/console/receiver")).html, /&quot;name&quot;: &quot;Received&quot;/)

  await admin.submit({ action: "respond", status: "503", delaySeconds: "0" })
  await newPet(petstore.as("special-key"), { name: "Refused" })
  await shows(/Refused/)
  assert.match((await admin.go("/console/receiver")).html, /responded with 503/)
  await until(async () => {
    const { value } = await petstore.as("special-key").listDeliveries({ params: { webhookId: webhook.id } })
    return value.some(({ lastAttempt }) => lastAttempt?.status === 503)
  }, "the refusal is recorded")
  await admin.go("/console/receiver")
  assert.match((await admin.submit({ action: "clear" })).html, /Nothing was received yet/)
})

test("a message of a webhook that was made over the API is verified with its secret", async () => {
  await using fresh = await startPetstore()
  await appoint(fresh)
  const admin = await receiving(fresh)
  const url = addressIn((await admin.go("/console/receiver")).html)
  await fresh.as("special-key").createWebhook({ body: { url, events: ["pet.created"] } })
  await newPet(fresh.as("special-key"))
  await until(
    async () => (await admin.go("/console/receiver")).html.includes(">signature verified<"),
    "the signature is verified",
  )
})

test("a message that no known secret has signed is marked, and any body is shown as text", async () => {
  const admin = await receiving()
  const url = addressIn((await admin.go("/console/receiver")).html)
  await admin.submit({ action: "trust", secret: `whsec_${Buffer.alloc(24).toString("base64")}` })
  const send = (body: string, headers = {}) => fetch(url, { method: "POST", body, headers })
  await send("<script>alert(1)</script>", {
    "webhook-id": "<b>",
    "webhook-timestamp": "1",
    "webhook-signature": "v1,x",
  })
  const { html } = await admin.go("/console/receiver")
  assert.match(html, /<strong>Not JSON<\/strong> <span class="badge bad">/)
  assert.match(html, /&lt;script&gt;/)
  assert.doesNotMatch(html, /<script>alert|<code><b>/)
})

test("the receiver keeps the last hundred messages, no credential of a sender, and refuses a body over 16 KiB", async () => {
  const admin = await receiving()
  const url = addressIn((await admin.go("/console/receiver")).html)
  const send = (body: string, headers = {}) => fetch(url, { method: "POST", body, headers })
  for (let n = 0; n < 105; n++) await send(JSON.stringify({ event: `kind-${n}` }))
  await send("x".repeat(16 * 1024), {
    authorization: "Bearer of-a-proxy",
    cookie: "a=of-a-browser",
    api_key: "of-mine",
  })
  const { html } = await admin.go("/console/receiver")
  assert.equal(html.match(/<li>\s*<p><strong>/g)?.length, 100)
  assert.match(html, /authorization: \*\*\*/)
  assert.doesNotMatch(html, /of-a-proxy|of-a-browser|of-mine/)
  assert.equal((await send("x".repeat(16 * 1024 + 1))).status, 413)
})

test("a slow receiver is left when the sender leaves, and customers have no receiver (slow)", async () => {
  const admin = await receiving()
  const url = addressIn((await admin.go("/console/receiver")).html)
  await admin.submit({ action: "respond", status: "204", delaySeconds: "30" })
  await assert.rejects(fetch(url, { method: "POST", signal: AbortSignal.timeout(200) }))
  await admin.go("/console/receiver")
  await admin.submit({ action: "respond", status: "204", delaySeconds: "0" })
  assert.equal((await fetch(url, { method: "POST" })).status, 204)
  assert.equal((await (await signedIn(petstore, "customer")).go("/console/receiver")).status, 404)
})

test("an account sees neither the messages nor the responses of another one, and who was not told an address cannot send to it", async () => {
  const [first, own] = [await receiving(), await signedIn(petstore, "admin")]
  const post = (url: string) => fetch(url, { method: "POST", body: JSON.stringify({ event: "for.the.first" }) })
  const firstUrl = addressIn((await first.go("/console/receiver")).html)
  await first.submit({ action: "respond", status: "204", delaySeconds: "0" })
  await own.go("/console/receiver")
  await own.submit({ action: "respond", status: "410", delaySeconds: "0" })
  assert.equal((await post(firstUrl)).status, 204)
  assert.match((await first.go("/console/receiver")).html, /for\.the\.first/)
  const { html } = await own.go("/console/receiver")
  assert.doesNotMatch(html, /for\.the\.first/)
  assert.notEqual(addressIn(html), firstUrl)
  assert.equal((await post(addressIn(html))).status, 410)
  const guesses = ["", "/", "/1", "/0x1", "/01", "/1e0", "/1.0", "/999999", "/x", `/${firstUrl.slice(-8)}`]
  for (const guess of guesses) assert.equal((await post(`${petstore.url}/receiver${guess}`)).status, 404, guess)
})

test("messages to the receivers of other accounts remove nothing from one that its owner uses", async () => {
  const sealing = aesSealing(Buffer.alloc(32))
  const { clock, store } = petstore
  const { of, handle } = createWebhookReceivers({ publicUrl: () => petstore.url, clock, store, sealing })
  const receive = (accountId: number) => {
    const exchange = exchangeOf("/receiver", { method: "POST" })
    exchange.params = { sealed: sealing.seal(String(accountId), sealedFor.receiver) }
    return handle(exchange)
  }
  of(1).respondWith({ status: 503, delaySeconds: 0 })
  await receive(1)
  for (let round = 0; round < 3; round++) for (let id = 2; id <= 14; id++) await receive(id)
  assert.deepEqual([of(1).response().status, of(1).messages().length], [503, 1])
  for (let id = 2; id <= 11; id++) of(id)
  assert.equal(of(1).response().status, 200, "ten others that are used later take its place")
})

test("production has no receiver", async () => {
  await using own = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://pets.example" },
  })
  assert.equal((await fetch(`${own.url}/receiver/1`, { method: "POST" })).status, 404)
})
