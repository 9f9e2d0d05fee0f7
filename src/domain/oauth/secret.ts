import { toBase64 } from "../../kernel/base64.ts"

/** A new `client_id`: 96 random bits in base64url. */
export const mintClientId = (random: (count: number) => Uint8Array): string => `poc_${base64url(random(12))}`

/** A new client secret: 256 random bits in base64url. */
export const mintClientSecret = (random: (count: number) => Uint8Array): string => `pos_${base64url(random(32))}`

const base64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")
