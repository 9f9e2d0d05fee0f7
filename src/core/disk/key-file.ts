import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { CannotStart } from "../kernel/cannot-start.ts"
import { readIfExists, replaceWith, writeOnce } from "./private.ts"

/** The file in the data directory that holds the sealing key. */
export const keyFileName = "secret.key"

/** The key in a file, 32 bytes in base64; undefined without the file. Throws CannotStart for any other text. */
export function readKeyFile(file: string): Uint8Array | undefined {
  const text = readIfExists(file)
  if (text === undefined) return undefined
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text))
    throw new CannotStart(`${file} does not hold a key, 32 bytes in base64; restore it from a backup`)
  return Buffer.from(text, "base64")
}

/** Creates a key in a file that only its owner may read, atomically. */
export function makeKeyFile(file: string): Uint8Array {
  const key = randomBytes(32)
  writeOnce(file, `${key.toString("base64")}\n`)
  return key
}

/** Replaces the key in `file` by the one in `next`, atomically and durably. */
export const promoteKeyFile = (next: string, file: string): void => replaceWith(next, file)

export const removeKeyFile = (file: string): void => rmSync(file, { force: true })
