import { hash } from "node:crypto"

const seriesMax = 1_000

/** Numbers from 0 to below 1. */
type Draw = { share: number; choice: number }

/**
 * Counts the requests of each series, whose n-th always draws the same numbers. The least recently used series is dropped and
 * restarts when there are too many; all restart with the process.
 */
export function createSeededRandom() {
  const counts = new Map<string, number>()

  return {
    /** The next draw in the owner's series of this seed; random without a seed. */
    next(owner: string, seed: string | undefined): Draw {
      if (seed === undefined) return { share: Math.random(), choice: Math.random() }
      const name = `${owner} ${seed}`
      const n = (counts.get(name) ?? 0) + 1
      counts.delete(name)
      counts.set(name, n)
      for (const oldest of counts.keys()) if (counts.size > seriesMax) counts.delete(oldest)
      const digest = hash("sha256", `${seed} ${n}`, "buffer")
      return { share: digest.readUInt32BE(0) / 2 ** 32, choice: digest.readUInt32BE(4) / 2 ** 32 }
    },
    forget: () => counts.clear(),
  }
}

/** The name with the highest hash wins: a name that is added takes its share, and every other choice stays as it was. */
export function nameAt(choice: number, names: readonly string[]): string {
  const scored = names.map((name) => ({ name, score: hash("sha256", `${choice} ${name}`) }))
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).name
}
