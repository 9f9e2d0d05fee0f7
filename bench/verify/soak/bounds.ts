import type { UsageSample } from "./samples.ts"

/** A measure of a soak: its maximum in each third of the time. */
export type Judged = { measure: string; thirds: number[]; bound: string; isBounded: boolean }

type Bound = { measure: string; bound: string; max(middle: number): number }

const bounds: Record<keyof UsageSample, Bound> = {
  memoryMiB: { measure: "Memory (RSS), MiB", bound: "1.2 × the middle third", max: (middle) => 1.2 * middle },
  descriptors: { measure: "Descriptors", bound: "20 above the middle third", max: (middle) => middle + 20 },
  // A named sandbox that exists at the moment has some 50.
  files: { measure: "Files of the data directory", bound: "100 above the middle third", max: (middle) => middle + 100 },
  logMiB: { measure: "Write-ahead log, MiB", bound: "32", max: () => 32 },
  delayMs: { measure: "Delivery of 99 of 100 events within, ms", bound: "5,000", max: () => 5_000 },
  databaseMiB: {
    measure: "Database, MiB",
    bound: "none: events are kept for 30 days",
    max: () => Number.POSITIVE_INFINITY,
  },
}

/** Judges the last third of the samples by the middle one: what grows without a bound is above it. Needs three samples. */
export function judgeUsage(samples: readonly UsageSample[]): Judged[] {
  const third = samples.length / 3
  const thirds = [0, 1, 2].map((n) => samples.slice(Math.round(n * third), Math.round((n + 1) * third)))
  return (Object.keys(bounds) as (keyof UsageSample)[]).map((name) => {
    const { measure, bound, max } = bounds[name]
    const highest = thirds.map((some) => Math.max(...some.map((sample) => sample[name])))
    const [, middle = 0, last = 0] = highest
    return {
      measure,
      thirds: highest.map((value) => Math.round(value * 10) / 10),
      bound,
      isBounded: last <= max(middle),
    }
  })
}
