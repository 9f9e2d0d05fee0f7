/** The only source of time: milliseconds since the Unix epoch, UTC. Tests inject their own. */
export type Clock = {
  now(): number
  /** Whether it is frozen, so that nothing takes time on it; absent on a clock that always runs. */
  isFrozen?(): boolean
}

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

/** The value of `Deprecation` (RFC 9745): the time since which something is deprecated. */
export const formatDeprecation = (ms: number): string => `@${Math.floor(ms / 1000)}`

/** Milliseconds of a time in RFC 3339. A leap second, which JavaScript does not know, is the second after it. */
export function timeIn(text: string): number {
  const known = text.toUpperCase().replace(" ", "T")
  const withoutLeap = known.replace(/(T\d\d:\d\d):60/, "$1:59")
  return Date.parse(withoutLeap) + (withoutLeap === known ? 0 : 1000)
}

export const logTimestamp = (): string => timestamp(Date.now())
