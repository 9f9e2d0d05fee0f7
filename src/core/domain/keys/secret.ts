/** The prefix of a secret: API key or session token. */
type Prefix = "psk_" | "pss_"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const randomLength = 43
const checkLength = 6

/** A new secret: prefix, 43 base62 characters (256 bits) and their CRC-32, by which scanners and typing errors are recognised. */
export function mintSecret(randomBytes: (count: number) => Uint8Array, prefix: Prefix = "psk_"): string {
  let random = ""
  while (random.length < randomLength)
    // Bytes from 248 on would favour the first characters of the alphabet.
    for (const byte of randomBytes(randomLength))
      if (byte < 248 && random.length < randomLength) random += alphabet[byte % 62]
  return prefix + random + checkOf(random)
}

/** Whether a text has the form of a secret with a correct checksum. Does not check that it exists. */
export function looksMinted(secret: string, prefix: Prefix = "psk_"): boolean {
  const random = secret.slice(prefix.length, prefix.length + randomLength)
  return (
    secret.startsWith(prefix) &&
    /^[0-9A-Za-z]{49}$/.test(secret.slice(prefix.length)) &&
    secret.endsWith(checkOf(random))
  )
}

function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ""
  for (let n = 0; n < checkLength; n++) {
    check = alphabet[rest % 62] + check
    rest = Math.floor(rest / 62)
  }
  return check
}

/** CRC-32 (ISO 3309) of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const character of text) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
