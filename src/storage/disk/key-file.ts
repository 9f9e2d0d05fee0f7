import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { CannotStart } from "../../kernel/cannot-start.ts"

/** The key in a file, 32 bytes in base64; undefined when there is no such file. Throws CannotStart for any other text. */
export function readKeyFile(file: string): Uint8Array | undefined {
  let text: string
  try {
    text = readFileSync(file, "utf8").trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text))
    throw new CannotStart(`${file} does not hold a key, 32 bytes in base64; bring it back from a backup`)
  return Buffer.from(text, "base64")
}

/** Makes a key in a file only its owner may read: wholly and on the disk, or not at all. */
export function makeKeyFile(file: string): Uint8Array {
  const key = randomBytes(32)
  const draft = `${file}.${randomBytes(6).toString("hex")}`
  const handle = openSync(draft, "wx", 0o600)
  try {
    writeSync(handle, `${key.toString("base64")}\n`)
    fsyncSync(handle)
    linkSync(draft, file)
  } finally {
    closeSync(handle)
    rmSync(draft, { force: true })
  }
  const directory = openSync(dirname(file), "r")
  fsyncSync(directory)
  closeSync(directory)
  return key
}
