import { hash } from "node:crypto"

export const markLength = 22

/**
 * Makes a function that gives each line of a file its mark: the hash of what it says, and the ordinal among equal lines. So a
 * line keeps its mark when other lines are added, corrected or removed, and each of several equal lines is a pet of its own.
 */
export function createMarker(): (text: string | Uint8Array) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const digest = hash("sha256", text, "base64url").slice(0, markLength)
    const nth = (seen.get(digest) ?? 0) + 1
    seen.set(digest, nth)
    return nth === 1 ? digest : `${digest}.${nth}`
  }
}
