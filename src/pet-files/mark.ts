import { hash } from "node:crypto"

export const markLength = 22

/**
 * Creates a function that marks each line with its hash and its ordinal among equal lines. A line keeps its mark when other
 * lines are added, corrected or removed, and each of several equal lines is a separate pet.
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
