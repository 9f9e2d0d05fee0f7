import assert from "node:assert/strict"
import { test } from "node:test"
import { signatureHeaders, signedContent, timestampOf } from "./standard-webhooks.ts"

test("a message is signed with every secret, at a time in whole seconds", () => {
  assert.equal(timestampOf(1_999), 1)
  assert.equal(signedContent("e1", 1, "{}"), "e1.1.{}")
  const hmac = (key: string, text: string) => `${key}(${text})`
  assert.deepEqual(signatureHeaders(["whsec_a", "whsec_b"], { eventId: "e1", body: "{}", at: 1_999 }, hmac), {
    "webhook-id": "e1",
    "webhook-timestamp": "1",
    "webhook-signature": "v1,a(e1.1.{}) v1,b(e1.1.{})",
  })
})
