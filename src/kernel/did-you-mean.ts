/** The word that differs least from the one given; undefined when there are none. */
export const nearest = (word: string, words: Iterable<string>): string | undefined =>
  [...words].map((known) => ({ known, distance: editDistance(word, known) })).sort((a, b) => a.distance - b.distance)[0]
    ?.known

/** How many characters must be added, dropped or changed to turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n)
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...to].entries())
      next.push(
        Math.min((row[j] as number) + (letter === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1),
      )
    row = next
  }
  return row.at(-1) as number
}
