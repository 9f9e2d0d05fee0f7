import { distance } from "fastest-levenshtein"

const editsMax = 3

/** The word that was probably meant: at most a third of the letters given are wrong, to the nearest whole, and no more than three. */
export function findNearest(given: string, words: Iterable<string>): string | undefined {
  const allowed = Math.min(editsMax, Math.round(given.length / 3), given.length - 1)
  return [...words]
    .filter((word) => Math.abs(word.length - given.length) <= allowed)
    .map((word) => ({ word, edits: countEdits(given, word) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((a, b) => a.edits - b.edits || beginsAlike(b.word, given) - beginsAlike(a.word, given))[0]?.word
}

/** Of two words as near as each other, the one that was begun is meant. */
const beginsAlike = (word: string, given: string): number => Number(word[0] === given[0])

/** Two neighbours that changed places are one slip, and two to Levenshtein. */
const countEdits = (given: string, word: string): number =>
  Math.min(distance(given, word), ...swapNeighbours(given).map((swapped) => 1 + distance(swapped, word)))

const swapNeighbours = (text: string): string[] =>
  Array.from({ length: text.length - 1 }, (_, n) => text.slice(0, n) + text[n + 1] + text[n] + text.slice(n + 2))
