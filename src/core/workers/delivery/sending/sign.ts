import { createHmac } from "node:crypto"
import { signatureHeaders } from "../../../kernel/network/standard-webhooks.ts"

/** The headers with which a receiver verifies a message, with one signature per secret; `at` in ms. */
export const createSignatureHeaders = (
  secrets: readonly string[],
  message: { eventId: string; body: string; at: number },
): Record<string, string> => signatureHeaders(secrets, message, hmac)

const hmac = (key: string, text: string): string =>
  createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64")
