import { createHmac } from "node:crypto"
import { secretPrefix, signedContent } from "../../kernel/standard-webhooks.ts"

/** The headers that let a receiver verify a message (Standard Webhooks 1.0), with one signature for each secret; `at` in ms. */
export function createSignatureHeaders(
  secrets: readonly string[],
  { eventId, body, at }: { eventId: string; body: string; at: number },
): Record<string, string> {
  const timestamp = Math.floor(at / 1000)
  const content = signedContent(eventId, timestamp, body)
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => `v1,${hmac(secret, content)}`).join(" "),
  }
}

const hmac = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(secretPrefix.length), "base64"))
    .update(content)
    .digest("base64")
