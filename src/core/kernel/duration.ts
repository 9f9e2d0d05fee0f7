/**
 * A duration of ISO 8601 in weeks, or in days, hours, minutes and seconds, of which the seconds may have a fraction. Years and
 * months have no fixed length.
 */
export const durationPattern =
  "^P(?=[0-9T])(?:([0-9]{1,6})W|(?:([0-9]{1,6})D)?(?:T(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,12}(?:[.,][0-9]{1,9})?)S)?)?)$"

const unitsMs = [7 * 86_400_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** Milliseconds, of whole seconds, as a duration. */
export function toDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  const parts = [
    [Math.floor(seconds / 3600), "H"],
    [Math.floor(seconds / 60) % 60, "M"],
    [seconds % 60, "S"],
  ] as const
  const text = parts.map(([count, unit]) => (count > 0 ? `${count}${unit}` : "")).join("")
  return `PT${text || "0S"}`
}

/** Milliseconds of a duration that matches the pattern, rounded. */
export function durationMs(text: string): number {
  const [, ...counts] = new RegExp(durationPattern).exec(text) ?? []
  return Math.round(unitsMs.reduce((sum, unitMs, n) => sum + unitMs * Number(counts[n]?.replace(",", ".") ?? 0), 0))
}
