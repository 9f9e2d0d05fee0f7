import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { SealBroken, type Sealing } from "../domain/ports/sealing.ts"

const algorithm = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** Seals under a key of 32 bytes with AES-256-GCM (NIST SP 800-38D): base64url of nonce, tag and ciphertext. */
export const aesSealing = (key: Uint8Array): Sealing => ({
  seal(plain, purpose) {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose))
    const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")
  },

  open(sealed, purpose) {
    const bytes = Buffer.from(sealed, "base64url")
    const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes)
    const text = bytes.subarray(nonceBytes + tagBytes)
    try {
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag)
      return decipher.update(text, undefined, "utf8") + decipher.final("utf8")
    } catch (error) {
      throw new SealBroken(`The ${purpose} in the database was sealed under another key`, { cause: error })
    }
  },
})
