import { createHmac } from "node:crypto"
import { secretPrefix, signatureHeaders } from "../../../../core/kernel/network/standard-webhooks.ts"
import { inWords } from "../../../site/pages/parts/time.ts"

/** The maximum age of a timestamp that receivers accept. */
const toleranceMs = 5 * 60 * 1000

/** A message as a receiver got it, and the secret. */
type SignedMessage = { id: string; timestamp: string; signature: string; body: string; secret: string }

export type SignatureFinding = { isGood: boolean; explanation: string }

/**
 * Verifies a message as receivers do (Standard Webhooks 1.0) and explains failures. `sent` is the body that the service sent
 * with this id, if known.
 */
export function judgeSignature(message: SignedMessage, sent: string | undefined, now: number): SignatureFinding[] {
  const forms = [
    ...judgeSecret(message.secret),
    ...judgeTimestamp(message.timestamp, now),
    ...judgeForm(message.signature),
  ]
  const isReadable = forms.every(({ isGood, explanation }) => isGood || explanation === stale(message.timestamp, now))
  return isReadable ? [...forms, judgeMatch(message, sent)] : forms
}

const bad = (explanation: string): SignatureFinding => ({ isGood: false, explanation })
const good = (explanation: string): SignatureFinding => ({ isGood: true, explanation })

function judgeSecret(secret: string): SignatureFinding[] {
  if (!secret.startsWith(secretPrefix)) return [bad(`The secret does not start with ${secretPrefix}.`)]
  const key = secret.slice(secretPrefix.length)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) ? [] : [bad(`The secret is not base64 after ${secretPrefix}.`)]
}

function judgeTimestamp(timestamp: string, now: number): SignatureFinding[] {
  if (!/^\d{1,12}$/.test(timestamp))
    return [bad("The timestamp is not a number of seconds since 1970, the format of the header webhook-timestamp.")]
  const explanation = stale(timestamp, now)
  return explanation === undefined ? [good("The timestamp is within the last five minutes.")] : [bad(explanation)]
}

/** Explains why receivers refuse a timestamp; undefined when they accept it. */
function stale(timestamp: string, now: number): string | undefined {
  const offMs = now - Number(timestamp) * 1000
  if (Math.abs(offMs) <= toleranceMs) return undefined
  return offMs > 0
    ? `The timestamp is stale: it is ${inWords(offMs)} old, and receivers accept at most five minutes.`
    : `The timestamp is ${inWords(-offMs)} ahead, and receivers accept at most five minutes.`
}

const judgeForm = (signature: string): SignatureFinding[] =>
  signaturesIn(signature).length > 0
    ? []
    : [
        bad(
          "The signature has no part of the form v1,BASE64 with 32 bytes, the format of the header webhook-signature.",
        ),
      ]

const signaturesIn = (signature: string): string[] =>
  signature.split(/\s+/).filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))

function judgeMatch(message: SignedMessage, sent: string | undefined): SignatureFinding {
  const fits = (body: string) => signaturesIn(message.signature).includes(sign(message, body) ?? "")
  // Forms normalize line breaks, so the original ones are unknown.
  const pasted = [message.body, message.body.replaceAll("\r\n", "\n")]
  if (pasted.some(fits)) return good("The signature is valid: this body was signed with this secret.")
  if (fits(message.body.trim()))
    return good("The signature is valid without the white space around the body, which was not signed.")
  if (sent !== undefined && fits(sent))
    return bad("The body was changed: the secret is correct, but a different body was sent with this id.")
  const compact = compactJson(message.body)
  if (compact !== undefined && fits(compact))
    return bad("The body was changed: it was reformatted. Verify the received bytes before you parse them.")
  if (sent !== undefined && pasted.includes(sent))
    return bad("Wrong secret: this body was sent with this id. Or the timestamp is that of another attempt.")
  if (sent !== undefined) return bad("A different body was sent with this id, and the secret is wrong, too.")
  return bad("The signature does not match: the secret is wrong, or the id, the timestamp or the body was changed.")
}

function sign({ id, timestamp, secret }: SignedMessage, body: string): string | undefined {
  const signed = { eventId: id, body, at: Number(timestamp) * 1000 }
  return signatureHeaders([secret], signed, hmac)["webhook-signature"]
}

const hmac = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64")

function compactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
