import type { Refuse } from "../context.ts"

/** The client, or the 404 that says the same of somebody else's. */
export const requireClient = <Client>(client: Client | undefined, refuse: Refuse<"oauth-client-not-found">): Client =>
  client ?? refuse("oauth-client-not-found", "OAuth client not found")

/** `prefix` and 256 random bits in base64url. */
export const randomText = (prefix: string, bytes = 32): string =>
  prefix + crypto.getRandomValues(new Uint8Array(bytes)).toBase64({ alphabet: "base64url", omitPadding: true })

export const mintClientId = () => randomText("poc_", 12)
export const mintClientSecret = () => randomText("pos_")
