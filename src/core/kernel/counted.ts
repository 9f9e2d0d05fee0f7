/** A number with its noun, which gets an s unless there is one: `24,987 pets`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`
