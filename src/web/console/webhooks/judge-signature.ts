import { createHmac } from "node:crypto"
import { secretPrefix, signatureHeaders } from "../../../kernel/network/standard-webhooks.ts"
import { inWords } from "./duration.ts"

/** How far off a timestamp may be that receivers accept. */
const toleranceMs = 5 * 60 * 1000

/** What a receiver was sent, and the secret it verifies with. */
type SignedMessage = { id: string; timestamp: string; signature: string; body: string; secret: string }

/** What was found out about a message: good news, or what is wrong with it. */
export type SignatureFinding = { isGood: boolean; says: string }

/**
 * Judges a message as Standard Webhooks 1.0 has receivers do it, and says what is wrong. `sent` is the body that was sent
 * under this id, when that is known.
 */
export function judgeSignature(message: SignedMessage, sent: string | undefined, now: number): SignatureFinding[] {
  const forms = [
    ...judgeSecret(message.secret),
    ...judgeTimestamp(message.timestamp, now),
    ...judgeForm(message.signature),
  ]
  const isReadable = forms.every(({ isGood, says }) => isGood || says === stale(message.timestamp, now))
  return isReadable ? [...forms, judgeMatch(message, sent)] : forms
}

const bad = (says: string): SignatureFinding => ({ isGood: false, says })
const good = (says: string): SignatureFinding => ({ isGood: true, says })

function judgeSecret(secret: string): SignatureFinding[] {
  if (!secret.startsWith(secretPrefix)) return [bad(`The secret does not begin with ${secretPrefix}.`)]
  const key = secret.slice(secretPrefix.length)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(key) ? [] : [bad(`What follows ${secretPrefix} in the secret is not base64.`)]
}

function judgeTimestamp(timestamp: string, now: number): SignatureFinding[] {
  if (!/^\d{1,12}$/.test(timestamp))
    return [bad("The timestamp is not a number of seconds since 1970, as the header webhook-timestamp is.")]
  const says = stale(timestamp, now)
  return says === undefined ? [good("The timestamp is of the last five minutes.")] : [bad(says)]
}

/** What is said of a timestamp that receivers refuse; undefined of one they accept. */
function stale(timestamp: string, now: number): string | undefined {
  const offMs = now - Number(timestamp) * 1000
  if (Math.abs(offMs) <= toleranceMs) return undefined
  return offMs > 0
    ? `The timestamp is stale: it is ${inWords(offMs)} old, and receivers refuse more than five minutes.`
    : `The timestamp is ${inWords(-offMs)} ahead, and receivers refuse more than five minutes.`
}

const judgeForm = (signature: string): SignatureFinding[] =>
  signaturesIn(signature).length > 0
    ? []
    : [bad("The signature has no part of the form v1,BASE64 with 32 bytes, as the header webhook-signature has.")]

const signaturesIn = (signature: string): string[] =>
  signature.split(/\s+/).filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))

function judgeMatch(message: SignedMessage, sent: string | undefined): SignatureFinding {
  const fits = (body: string) => signaturesIn(message.signature).includes(sign(message, body) ?? "")
  // A form changes line breaks, so which ones were pasted cannot be told.
  const pasted = [message.body, message.body.replaceAll("\r\n", "\n")]
  if (pasted.some(fits)) return good("The signature is right: this body was signed with this secret.")
  if (fits(message.body.trim()))
    return good("The signature is right, without the white space around the body, which was not signed.")
  if (sent !== undefined && fits(sent))
    return bad("The body was changed: the secret is right, but what was sent under this id is another body.")
  const compact = compactJson(message.body)
  if (compact !== undefined && fits(compact))
    return bad("The body was changed: it was formatted anew. Verify the bytes that arrived, before they are parsed.")
  if (sent !== undefined && pasted.includes(sent))
    return bad("Wrong secret: this is the body that was sent under this id. Or the timestamp is of another attempt.")
  if (sent !== undefined)
    return bad("The body is not the one that was sent under this id, and the secret is wrong too.")
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
