import { distance } from "fastest-levenshtein"

/** A transposed pair counts as two. */
const editsMax = 3

/** The word that was probably meant: at most half of the letters given are wrong, rounded up, and no more than three. */
export function findNearest(given: string, words: Iterable<string>): string | undefined {
  const allowed = Math.min(editsMax, Math.ceil(given.length / 2))
  return [...words]
    .map((word) => ({ word, edits: distance(given, word) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits)[0]?.word
}
