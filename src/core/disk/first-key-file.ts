import { join } from "node:path"
import { CannotStart } from "../kernel/cannot-start.ts"
import { readIfExists, writeOnce } from "./private.ts"

export const firstKeyFileName = "first-admin-key.txt"

/**
 * The file of production's first key. `keep` returns the key in it, which a killed start may have written before it was stored,
 * or writes a new one. Throws CannotStart when the file holds anything else.
 */
export function firstKeyFile(dataDir: string): { path: string; keep(mint: () => string): string } {
  const path = join(dataDir, firstKeyFileName)
  return {
    path,
    keep(mint) {
      const kept = readIfExists(path)
      const secret = kept ?? mint()
      if (!/^psk_[0-9A-Za-z]{49}$/.test(secret))
        throw new CannotStart(`${path} is the file of the first API key, and holds something else. Move it away.`)
      if (kept === undefined) writeOnce(path, `${secret}\n`)
      return secret
    },
  }
}
