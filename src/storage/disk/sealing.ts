import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { SealBroken, type Sealing } from "../../domain/sealing.ts"

const algorithm = "aes-256-gcm"
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/** Seals under a key in this file, which only its owner may read; the file is made when there is none. */
export function diskSealing(file: string): Sealing {
  const key = readOrMakeKey(file)

  return {
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
        throw new SealBroken(`The ${purpose} in the database was not sealed under the key in ${file}`, { cause: error })
      }
    },
  }
}

function readOrMakeKey(file: string): Buffer {
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file, randomBytes(keyBytes), { flag: "wx", mode: 0o600, flush: true })
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error
  }
  const key = readFileSync(file)
  if (key.length === keyBytes) return key
  throw new SealBroken(`${file} does not hold a key of ${keyBytes} bytes; bring it back from a backup`)
}
