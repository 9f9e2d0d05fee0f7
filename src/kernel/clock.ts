/** The only source of time: milliseconds since the Unix epoch, UTC. Tests inject their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

// Reading it takes longer than reading the time.
const { timeOrigin } = performance

/** A monotonic clock, for measuring durations. */
export const steadyClock: Clock = { now: () => timeOrigin + performance.now() }

let stampedAt = Number.NaN
let stamp = ""

/** A time in RFC 3339, UTC; cached for calls in the same millisecond. */
export function timestamp(ms: number): string {
  if (ms !== stampedAt) {
    stamp = new Date(ms).toISOString()
    stampedAt = ms
  }
  return stamp
}

/** The current time for log lines. */
export const logTimestamp = (): string => timestamp(Date.now())
