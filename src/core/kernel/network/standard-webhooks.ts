/** Prefix of a webhook's secret, before the base64 of the key (Standard Webhooks 1.0). */
export const secretPrefix = "whsec_"

/** The headers of every message besides those with which a receiver verifies it. */
export const messageHeaders = { "content-type": "application/json", "user-agent": "Petstore-Webhooks/1" }

/** The `webhook-timestamp` of an attempt at this time, in seconds; `at` in ms. */
export const timestampOf = (at: number): number => Math.floor(at / 1000)

/** The text to sign; `timestamp` in seconds since the epoch. */
export const signedContent = (id: string, timestamp: number | string, body: string): string =>
  `${id}.${timestamp}.${body}`

/** Computes HMAC-SHA256 of a text, in base64, under a key in base64. */
type Hmac = (key: string, text: string) => string

/** The headers by which a receiver verifies a message (Standard Webhooks 1.0), with one signature per secret; `at` in ms. */
export function signatureHeaders(
  secrets: readonly string[],
  { eventId, body, at }: { eventId: string; body: string; at: number },
  hmac: Hmac,
): Record<string, string> {
  const timestamp = timestampOf(at)
  const content = signedContent(eventId, timestamp, body)
  return {
    "webhook-id": eventId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.map((secret) => `v1,${hmac(secret.slice(secretPrefix.length), content)}`).join(" "),
  }
}
