import { toBase64Url } from "../../kernel/json/base64.ts"

/** A new `client_id`: 96 random bits in base64url. */
export const mintClientId = (random: (count: number) => Uint8Array): string => `poc_${toBase64Url(random(12))}`

/** A new client secret: 256 random bits in base64url. */
export const mintClientSecret = (random: (count: number) => Uint8Array): string => `pos_${toBase64Url(random(32))}`
