import { join } from "node:path"
import { CannotStart } from "../../kernel/cannot-start.ts"
import { readIfExists, writeOnce } from "./private.ts"

export const firstKeyFileName = "first-admin-key.txt"

/**
 * The file that holds production's first key; only its owner may read it. `keep` returns the key in it, because an earlier
 * start may have been killed before it stored that one, or writes a new one into it. Throws CannotStart when the
 * file holds anything else.
 */
export function firstKeyFile(dataDir: string): { path: string; keep(mint: () => string): string } {
  const path = join(dataDir, firstKeyFileName)
  return {
    path,
    keep(mint) {
      const kept = readIfExists(path)
      if (kept === undefined) {
        const secret = mint()
        writeOnce(path, `${secret}\n`)
        return secret
      }
      if (/^psk_[0-9A-Za-z]{49}$/.test(kept)) return kept
      throw new CannotStart(`${path} is where the first API key is written, and holds something else. Move it away.`)
    },
  }
}
