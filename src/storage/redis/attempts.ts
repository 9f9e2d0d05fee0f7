import { hash } from "node:crypto"
import type { Attempts, Tried } from "../../domain/ports.ts"
import type { Clock } from "../../kernel/clock.ts"
import { memoryAttempts } from "../memory/attempts.ts"
import { addScript, forgiveScript, tryScript } from "./attempts-scripts.ts"
import { type Link, RedisAway, type Run } from "./link.ts"

const namesMax = 20_000
const namesAtOnce = 100

/** Attempts that can be counted in Redis later. */
export type SharedAttempts = Attempts & {
  /** Counts in Redis what was counted here; what fails is lost, or counted twice, which a guesser may not rely on. */
  flush(run: Run): Promise<void>
}

/**
 * Attempts counted in Redis, those of one kind together in one slot of a cluster, because a script counts several names at
 * once. While Redis is away, each of the live replicas admits its share, at least one, in its own memory.
 */
export function redisAttempts(link: Link, kind: string, clock: Clock, liveReplicas: () => number): SharedAttempts {
  const here = memoryAttempts(clock)
  const unsent = new Map<string, { windowMs: number; moments: number[] }>()
  // Names hold addresses and usernames, of any length; nobody else needs to read them.
  const keyOf = ({ name }: Tried) => `petstore:{attempts:${kind}}:${hash("sha256", name, "base64url")}`

  function shareOf(tried: readonly Tried[]): Tried[] {
    const replicas = liveReplicas()
    return tried.map(({ name, max }) => ({ name, max: Math.max(1, Math.floor(max / replicas)) }))
  }

  async function admitHere(tried: readonly Tried[], windowMs: number): Promise<number | undefined> {
    const waitMs = await here.admit(shareOf(tried), windowMs)
    if (waitMs !== undefined) return waitMs
    for (const key of tried.map(keyOf)) {
      const moments = unsent.get(key)?.moments ?? []
      moments.push(Math.floor(link.now()))
      unsent.delete(key)
      unsent.set(key, { windowMs, moments })
      if (unsent.size > namesMax) unsent.delete(unsent.keys().next().value as string)
    }
    return undefined
  }

  return {
    async admit(tried, windowMs) {
      try {
        const maxima = tried.map(({ max }) => max)
        const [, waitMs] = await link.run(tryScript, tried.map(keyOf), [windowMs, ...maxima])
        return waitMs || undefined
      } catch (error) {
        if (error instanceof RedisAway) return admitHere(tried, windowMs)
        throw error
      }
    },
    async forgive(tried) {
      try {
        await link.run(forgiveScript, tried.map(keyOf), [])
      } catch (error) {
        if (!(error instanceof RedisAway)) throw error
        for (const key of tried.map(keyOf)) unsent.get(key)?.moments.pop()
        await here.forgive(tried)
      }
    },
    async flush(run) {
      while (unsent.size > 0) {
        const sending = [...unsent.entries().take(namesAtOnce)]
        for (const [key] of sending) unsent.delete(key)
        await Promise.all(
          sending.map(([key, { windowMs, moments }]) => run(addScript, [key], [windowMs, JSON.stringify(moments)])),
        )
      }
    },
  }
}
