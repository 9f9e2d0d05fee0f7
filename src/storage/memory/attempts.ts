import type { Attempts } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"

const namesMax = 20_000

/** Attempts of this process; the names untried for longest are forgotten first. */
export function memoryAttempts(clock: Clock): Attempts & { forget(): void } {
  const times = new Map<string, number[]>()

  function recent(name: string, windowMs: number): number[] {
    const since = clock.now() - windowMs
    return (times.get(name) ?? []).filter((time) => time > since)
  }

  function keep(name: string, tries: number[]): void {
    times.delete(name)
    if (tries.length > 0) times.set(name, tries)
    const [oldest] = times.keys()
    if (times.size > namesMax && oldest !== undefined) times.delete(oldest)
  }

  return {
    async admit(tried, windowMs) {
      const now = clock.now()
      const waits = tried.flatMap(({ name, max }) => {
        const tries = recent(name, windowMs)
        return tries.length < max ? [] : [(tries[tries.length - max] as number) + windowMs - now]
      })
      if (waits.length > 0) return Math.max(...waits)
      for (const { name } of tried) keep(name, [...recent(name, windowMs), now])
      return undefined
    },
    forget: () => times.clear(),
    async forgive(tried) {
      for (const { name } of tried) keep(name, times.get(name)?.slice(0, -1) ?? [])
    },
  }
}
