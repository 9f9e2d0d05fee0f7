/** The only source of time: milliseconds since the Unix epoch, UTC. Tests bring their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** Time that never jumps, whatever happens to the wall clock: for telling how long ago something was. */
export const steadyClock: Clock = { now: () => performance.timeOrigin + performance.now() }

export const timestamp = (ms: number): string => new Date(ms).toISOString()
