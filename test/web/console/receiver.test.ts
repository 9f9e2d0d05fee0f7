import assert from "node:assert/strict"
import { test } from "node:test"
import { appoint, signedIn } from "../../harness/console.ts"
import { startPetstore } from "../../harness/petstore.ts"
import { newPet } from "../../harness/samples.ts"
import { until } from "../../harness/until.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))

/** An administrator who acts for the first account. */
async function receiving() {
  const admin = await signedIn(petstore, "admin")
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
  assert.equal(webhook?.url, `${petstore.url}/receiver/1`)

  assert.match(
    (await admin.go("/console/receiver")).html,
    /<a href="[^"]*\/webhooks\/\d+">Receiver in the console<\/a> sends here/,
  )

  await newPet(petstore.as("special-key"), { name: "Received" })
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test((await admin.go("/console/receiver")).html), String(pattern))
  await shows(/<strong>pet\.created<\/strong> <span class="badge good">signature verified<\/span>/)
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

test("a message that no known secret has signed is marked, and any body is shown as text", async () => {
  const admin = await receiving()
  await admin.go("/console/receiver")
  await admin.submit({ action: "trust", secret: `whsec_${Buffer.alloc(24).toString("base64")}` })
  const send = (body: string, headers = {}) => fetch(`${petstore.url}/receiver/1`, { method: "POST", body, headers })
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

test("the receiver keeps the last hundred messages, the beginning of each, and refuses a body over a mebibyte", async () => {
  const admin = await receiving()
  const send = (body: string) => fetch(`${petstore.url}/receiver/1`, { method: "POST", body })
  for (let n = 0; n < 105; n++) await send(JSON.stringify({ event: `kind-${n}` }))
  await send("x".repeat(20_000))
  const { html } = await admin.go("/console/receiver")
  assert.equal(html.match(/<li>\s*<p><strong>/g)?.length, 100)
  assert.match(html, /first 16 KiB/)
  assert.equal((await send("x".repeat(1024 * 1024 + 1))).status, 413)
})

test("a slow receiver is left when the sender leaves, and customers have no receiver", async () => {
  const admin = await receiving()
  await admin.go("/console/receiver")
  await admin.submit({ action: "respond", status: "204", delaySeconds: "30" })
  await assert.rejects(fetch(`${petstore.url}/receiver/1`, { method: "POST", signal: AbortSignal.timeout(200) }))
  await admin.go("/console/receiver")
  await admin.submit({ action: "respond", status: "204", delaySeconds: "0" })
  assert.equal((await fetch(`${petstore.url}/receiver/1`, { method: "POST" })).status, 204)
  assert.equal((await (await signedIn(petstore, "customer")).go("/console/receiver")).status, 404)
})

test("an account sees neither the messages nor the responses of another one, and there is no receiver without an account", async () => {
  const [first, own] = [await receiving(), await signedIn(petstore, "admin")]
  const post = (path: string) =>
    fetch(`${petstore.url}/receiver${path}`, { method: "POST", body: JSON.stringify({ event: "for.the.first" }) })
  await own.go("/console/receiver")
  await own.submit({ action: "respond", status: "410", delaySeconds: "0" })
  assert.equal((await post("/1")).status, 204)
  assert.match((await first.go("/console/receiver")).html, /for\.the\.first/)
  const { html } = await own.go("/console/receiver")
  assert.doesNotMatch(html, /for\.the\.first/)
  const [, url = ""] = /data-copy="[^"]*\/receiver(\/\d+)"/.exec(html) ?? []
  assert.notEqual(url, "/1")
  assert.equal((await post(url)).status, 410)
  for (const path of ["", "/", "/999999", "/0", "/x", "/1e99"]) assert.equal((await post(path)).status, 404, path)
})

test("production has no receiver", async () => {
  await using own = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://pets.example" },
  })
  assert.equal((await fetch(`${own.url}/receiver/1`, { method: "POST" })).status, 404)
})
