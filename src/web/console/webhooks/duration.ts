const units = [
  { word: "day", ms: 86_400_000 },
  { word: "hour", ms: 3_600_000 },
  { word: "minute", ms: 60_000 },
  { word: "second", ms: 1000 },
] as const

/** Formats a duration approximately, in the largest unit of which there are at least two. */
export function inWords(ms: number): string {
  const { word, ms: size } = units.find((unit) => ms >= 2 * unit.ms) ?? units[3]
  const count = Math.max(1, Math.round(ms / size))
  return `${count} ${word}${count === 1 ? "" : "s"}`
}
