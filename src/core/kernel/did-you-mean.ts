import { distance } from "fastest-levenshtein"

const editsMax = 3

/** The closest word: at most three edits, and at most a third of the letters, rounded; with the same first letter unless one edit suffices. */
export function findNearest(typed: string, words: Iterable<string>): string | undefined {
  const allowed = Math.min(editsMax, Math.round(typed.length / 3))
  return [...words]
    .filter((word) => Math.abs(word.length - typed.length) <= allowed)
    .map((word) => ({ word, edits: countEdits(typed, word) }))
    .filter(({ word, edits }) => edits <= allowed && (edits <= 1 || word[0] === typed[0]))
    .sort((a, b) => a.edits - b.edits || beginsAlike(b.word, typed) - beginsAlike(a.word, typed))[0]?.word
}

/** Of two equally close words, prefers the one with the same first letter. */
const beginsAlike = (word: string, typed: string): number => Number(word[0] === typed[0])

/** Swapped neighbours count as one edit, not as the two of Levenshtein. */
const countEdits = (typed: string, word: string): number =>
  Math.min(distance(typed, word), ...swapNeighbours(typed).map((swapped) => 1 + distance(swapped, word)))

const swapNeighbours = (text: string): string[] =>
  Array.from(text, (_, n) => text.slice(0, n) + text.charAt(n + 1) + text[n] + text.slice(n + 2))
