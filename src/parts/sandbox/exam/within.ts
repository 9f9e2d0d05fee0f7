import { setTimeout as after } from "node:timers/promises"

/** The outcome of something that may take so long; undefined when it takes longer. */
export async function within<T>(ms: number, outcome: Promise<T>): Promise<T | undefined> {
  const patience = new AbortController()
  const late = after(ms, undefined, { signal: patience.signal }).catch(() => undefined)
  try {
    return await Promise.race([outcome, late])
  } finally {
    patience.abort()
  }
}
