import type { Clock } from "../kernel/clock.ts"
import type { AttemptLimit, Attempts, Pace } from "../kernel/flow/attempts.ts"
import { AttemptQueue, type Later } from "./attempt-queue.ts"
import { keepNewest } from "./keep-newest.ts"

const namesMax = 20_000

export type MemoryAttempts = Attempts & {
  /** Forgets every attempt and every name. */
  forget(): void
}

/** Counts attempts in this process; forgets the least recently tried names first. */
export function memoryAttempts(clock: Clock, later?: Later): MemoryAttempts {
  const { take, used, ...counts } = memoryCounts(clock)
  const queue = new AttemptQueue(clock, later)
  return {
    ...counts,
    enqueue: (tried, from, pace) =>
      queue.enqueue(tried.name, from, {
        take: async () => take(tried, pace),
        used: async () => used(from, pace.windowMs),
      }),
    release: () => queue.release(),
  }
}

/** Counts attempts without letting any wait. */
export function memoryCounts(clock: Clock) {
  const times = new Map<string, number[]>()
  const remembered = new Map<string, number>()

  /** The moments of the attempts that still count, oldest first; the caller may change them. */
  function recent(name: string, windowMs: number): number[] {
    const tries = times.get(name) ?? []
    const since = clock.now() - windowMs
    while ((tries[0] ?? Number.POSITIVE_INFINITY) <= since) tries.shift()
    return tries
  }

  const add = (name: string, tries: number[]) => keepNewest(times, name, [...tries, clock.now()], namesMax)

  return {
    async admit(tried: readonly AttemptLimit[], windowMs: number): Promise<number | undefined> {
      const now = clock.now()
      const counted = tried.map(({ name, max }) => ({ name, max, tries: recent(name, windowMs) }))
      const waits = counted.flatMap(({ tries, max }) =>
        tries.length < max ? [] : [(tries[tries.length - max] as number) + windowMs - now],
      )
      if (waits.length > 0) return Math.max(...waits)
      for (const { name, tries } of counted) add(name, tries)
      return undefined
    },
    async forgive(tried: readonly AttemptLimit[]): Promise<void> {
      for (const { name } of tried) {
        const tries = times.get(name)
        tries?.pop()
        if (tries?.length === 0) times.delete(name)
      }
    },
    /** Counts an attempt and returns 0, or returns the milliseconds until it may proceed. */
    take({ name, max }: AttemptLimit, { windowMs, pausesMs }: Pace): number {
      const tries = recent(name, windowMs)
      const pauseMs = pausesMs[Math.min(tries.length - max, pausesMs.length - 1)] ?? 0
      const waitMs = (tries.at(-1) ?? 0) + pauseMs - clock.now()
      if (tries.length >= max && waitMs > 0) return waitMs
      add(name, tries)
      return 0
    },
    /** The largest used share of a budget. */
    used: (tried: readonly AttemptLimit[], windowMs: number): number =>
      Math.max(...tried.map(({ name, max }) => recent(name, windowMs).length / max)),
    async remember(name: string, forMs: number): Promise<void> {
      keepNewest(remembered, name, clock.now() + forMs, namesMax)
    },
    isRemembered: async (name: string): Promise<boolean> => (remembered.get(name) ?? 0) > clock.now(),
    forget(): void {
      times.clear()
      remembered.clear()
    },
  }
}
