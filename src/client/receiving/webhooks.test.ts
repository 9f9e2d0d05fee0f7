import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Webhook } from "standardwebhooks"
import { verifyWebhook, WebhookRefused } from "../../public/webhooks.ts"

const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const other = "whsec_HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const at = new Date("2026-01-01T12:00:00Z")
const now = () => at.getTime()
const body =
  '{"event":"pet.created","data":{"id":11,"name":"Räx","status":"available"},"timestamp":"2026-01-01T12:00:00.000Z"}'

/** A message signed by the standard's own library. */
const message = (signedWith = secret, sent = at) => ({
  body,
  headers: {
    "webhook-id": "evt_17_4f1d2c3b4a59",
    "webhook-timestamp": String(sent.getTime() / 1000),
    "webhook-signature": new Webhook(signedWith).sign("evt_17_4f1d2c3b4a59", sent, body),
  },
})

const refused = (words: RegExp) => (error: unknown) => error instanceof WebhookRefused && words.test(error.message)

test("a message signed by the standard's own library is verified, from text, from bytes and with any kind of headers", async () => {
  const { headers } = message()
  const mixed = { "Webhook-Id": headers["webhook-id"], "Webhook-Timestamp": [headers["webhook-timestamp"]] }
  for (const [given, bytes] of [
    [headers, body],
    [new Headers(headers), new TextEncoder().encode(body)],
    [{ ...mixed, "webhook-signature": headers["webhook-signature"] }, Buffer.from(body)],
  ] as const) {
    const { id, event } = await verifyWebhook({ headers: given, body: bytes }, { secret, now })
    assert.equal(id, "evt_17_4f1d2c3b4a59")
    assert.ok(event.event === "pet.created")
    assert.equal(event.data.name, "Räx")
  }
})

test("the values in docs/webhooks.md are accepted", async () => {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", "webhooks.md"), "utf8")
  const field = (name: string) => new RegExp(`^${name} +(.*)$`, "m").exec(text)?.[1] ?? ""
  const headers = {
    "webhook-id": field("id"),
    "webhook-timestamp": field("timestamp"),
    "webhook-signature": field("signature"),
  }
  const { event } = await verifyWebhook({ headers, body: field("body") }, { secret: field("secret"), now })
  assert.equal(event.event, "pet.created")
})

test("one valid signature of several is enough, and so is one secret of several", async () => {
  const { headers } = message()
  const signatures = ["v2,abc", "v1,%", message(other).headers["webhook-signature"], headers["webhook-signature"]]
  const several = { body, headers: { ...headers, "webhook-signature": signatures.join(" ") } }
  assert.ok(await verifyWebhook(several, { secret, now }))
  assert.ok(await verifyWebhook(message(), { secret: [other, secret], now }))
})

test("a message with another secret, changed content or another version is refused", async () => {
  const { headers } = message()
  await assert.rejects(verifyWebhook(message(other), { secret, now }), refused(/no signature/))
  await assert.rejects(verifyWebhook({ headers, body: `${body} ` }, { secret, now }), refused(/no signature/))
  const moved = { ...headers, "webhook-timestamp": String(at.getTime() / 1000 + 1) }
  await assert.rejects(verifyWebhook({ headers: moved, body }, { secret, now }), refused(/no signature/))
  const v2 = { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v2,") }
  await assert.rejects(verifyWebhook({ headers: v2, body }, { secret, now }), refused(/no signature/))
})

test("a message that is too old, too new, or has no time is refused", async () => {
  const sent = (seconds: number) => message(secret, new Date(at.getTime() + seconds * 1000))
  for (const seconds of [-300, 300]) assert.ok(await verifyWebhook(sent(seconds), { secret, now }))
  for (const seconds of [-301, 301])
    await assert.rejects(verifyWebhook(sent(seconds), { secret, now }), refused(/more than 300 s off/))
  assert.ok(await verifyWebhook(sent(-301), { secret, now, toleranceSeconds: 301 }))
  const { headers } = message()
  const timeless = { ...headers, "webhook-timestamp": "NaN" }
  await assert.rejects(verifyWebhook({ headers: timeless, body }, { secret, now }), refused(/off/))
})

test("a message without one of its three headers is refused", async () => {
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
    const headers = { ...message().headers, [name]: undefined }
    await assert.rejects(verifyWebhook({ headers, body }, { secret, now }), refused(new RegExp(name)))
  }
})

test("a timestamp is a number of seconds with at most 12 digits", async () => {
  const sent = new Date(999_999_999_999_000)
  const { headers } = message(secret, sent)
  const accept = { secret, now: () => sent.getTime() }
  assert.ok(await verifyWebhook({ headers, body }, accept))
  for (const timestamp of ["1000000000000", "999999999999.0", "-1", " 999999999999", ""])
    await assert.rejects(
      verifyWebhook({ headers: { ...headers, "webhook-timestamp": timestamp }, body }, accept),
      WebhookRefused,
    )
})

test("without a time of its own a message is compared with the clock of this machine", async () => {
  assert.ok(await verifyWebhook(message(secret, new Date(Math.floor(Date.now() / 1000) * 1000)), { secret }))
  await assert.rejects(verifyWebhook(message(), { secret: [secret] }), refused(/more than 300 s off/))
})

test("a secret may lack its prefix, and a header may be repeated", async () => {
  const { headers } = message()
  assert.ok(await verifyWebhook(message(), { secret: secret.slice("whsec_".length), now }))
  const repeated = { ...headers, "webhook-signature": ["v1,AAAA", headers["webhook-signature"]] }
  assert.ok(await verifyWebhook({ headers: repeated, body }, { secret, now }))
})
