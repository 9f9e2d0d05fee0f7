import type { EventMessage } from "../../core/domain/events/contract.ts"
import { fromBase64 } from "../../core/kernel/json/base64.ts"
import { secretPrefix, signedContent } from "../../core/kernel/network/standard-webhooks.ts"

/** A message as received. */
export type WebhookMessage = {
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The exact bytes of the body, or the same as text. */
  body: string | Uint8Array
}

export type WebhookOptions = {
  /** The webhook's secret, `whsec_…`; several during a rotation. */
  secret: string | readonly string[]
  /** Maximum difference of the timestamp; 300 by default. */
  toleranceSeconds?: number
  /** The time in milliseconds since 1970; the clock of this machine by default. */
  now?: () => number
}

/** The message is not from the service or not recent; the error's message says why. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
}

const signatureVersion = "v1,"
const hmac = { name: "HMAC", hash: "SHA-256" }

/**
 * Verifies a message (Standard Webhooks 1.0) and resolves with its id, the same on every attempt, and its event.
 * Rejects with WebhookRefused. Signatures are compared by WebCrypto, in constant time.
 */
export async function verifyWebhook(
  { headers, body }: WebhookMessage,
  { secret, toleranceSeconds = 300, now = Date.now }: WebhookOptions,
): Promise<{ id: string; event: EventMessage }> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = readHeader(headers, name)
    if (!value) throw new WebhookRefused(`the header ${name} is missing`)
    return value
  }) as [string, string, string]
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookRefused(`the timestamp is more than ${toleranceSeconds} s off`)

  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body
  const content = new Uint8Array([...new TextEncoder().encode(signedContent(id, timestamp, "")), ...bytes])
  const keys = await Promise.all([secret].flat().map(importSecret))
  const candidates = signatures.split(" ").flatMap(readSignature)
  const checks = keys.flatMap((key) =>
    candidates.map((signature) => crypto.subtle.verify(hmac, key, signature, content)),
  )
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookRefused("no signature is valid")
  return { id, event: JSON.parse(new TextDecoder().decode(bytes)) }
}

function readHeader(headers: WebhookMessage["headers"], wanted: string): string | undefined {
  if (headers instanceof Headers) return headers.get(wanted) ?? undefined
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted) ?? []
  return typeof value === "string" ? value : value?.join(" ")
}

const importSecret = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", bytesOf(secret.replace(secretPrefix, "")), hmac, false, ["verify"])

const bytesOf = (text: string) => fromBase64(text) as Uint8Array<ArrayBuffer>

/** The bytes of a signature, in an array that is empty for an unknown version or invalid base64. */
function readSignature(text: string): Uint8Array<ArrayBuffer>[] {
  if (!text.startsWith(signatureVersion)) return []
  try {
    return [bytesOf(text.slice(signatureVersion.length))]
  } catch {
    return []
  }
}
