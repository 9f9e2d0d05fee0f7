/** Base64 (RFC 4648 section 4), with functions available in Node 24 and browsers. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Decodes base64, padded or not. Throws for any other text. */
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))

/** Base64url without padding (RFC 4648 section 5), safe in URLs. */
export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")

/** Decodes base64url. Throws for any other text but base64. */
export const fromBase64Url = (text: string): Uint8Array => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"))
