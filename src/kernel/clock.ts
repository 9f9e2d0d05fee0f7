/** The only source of time: milliseconds since the Unix epoch, UTC. Tests bring their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

export const timestamp = (ms: number): string => new Date(ms).toISOString()
