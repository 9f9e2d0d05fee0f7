/** The only source of time: milliseconds since the Unix epoch, UTC. Tests bring their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

// Reading it takes longer than reading the time.
const { timeOrigin } = performance

/** Time that never jumps, whatever happens to the wall clock: for telling how long ago something was. */
export const steadyClock: Clock = { now: () => timeOrigin + performance.now() }

let stampedAt = Number.NaN
let stamp = ""

/** A time as RFC 3339 in UTC; what happens within one millisecond, one after the other, shares the text. */
export function timestamp(ms: number): string {
  if (ms !== stampedAt) {
    stamp = new Date(ms).toISOString()
    stampedAt = ms
  }
  return stamp
}

/** The time of the wall clock, for log lines. */
export const logTimestamp = (): string => timestamp(Date.now())
