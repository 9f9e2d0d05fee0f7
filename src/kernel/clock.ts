/** The only source of time: milliseconds since the Unix epoch, UTC. Tests bring their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** Time that never jumps, whatever happens to the wall clock: for telling how long ago something was. */
export const steadyClock: Clock = { now: () => performance.timeOrigin + performance.now() }

export const timestamp = (ms: number): string => new Date(ms).toISOString()

let stampedAt = 0
let stamp = ""

/** The time of the wall clock for log lines, RFC 3339 in UTC; lines of one millisecond share the text. */
export function logTimestamp(): string {
  const now = Date.now()
  if (now !== stampedAt) {
    stampedAt = now
    stamp = new Date(now).toISOString()
  }
  return stamp
}
