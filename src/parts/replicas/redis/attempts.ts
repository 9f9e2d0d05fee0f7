// Decision: docs/decisions/redis.md#password-attempts-queue-in-the-process-and-redis-grants-the-slots

import { hash, randomInt } from "node:crypto"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { AttemptLimit, Attempts, Pace } from "../../../core/kernel/flow/attempts.ts"
import { AttemptQueue, type Later, runLater } from "../../../core/memory/attempt-queue.ts"
import { memoryCounts } from "../../../core/memory/attempts.ts"
import { keepNewest } from "../../../core/memory/keep-newest.ts"
import { scripts } from "./attempts-scripts.ts"
import { type Link, orWhileAway, type Run } from "./link.ts"

/**
 * Counts attempts in Redis; those of one kind share a slot of a cluster, because a script counts several names at once. While Redis
 * is unavailable, each live replica admits its share, at least one, in its own memory, and `flush` sends them later.
 */
export function redisAttempts(
  link: Link,
  kind: string,
  clock: Clock,
  liveReplicas: () => number,
): Attempts & { flush(run: Run): Promise<void> } {
  const here = memoryCounts(clock)
  const unsent = unsentAttempts()
  const queue = new AttemptQueue(clock, runLaterAtRandom)
  const request = async (...command: Parameters<Run>) => (await link.run(...command))[1]
  // Hashed, because addresses and usernames have any length and nothing reads them in Redis.
  const keysOf = (tried: readonly Pick<AttemptLimit, "name">[]) =>
    tried.map(({ name }) => `petstore:{attempts:${kind}}:${hash("sha256", name, "base64url")}`)
  const shareOf = ({ name, max }: AttemptLimit) => ({ name, max: Math.max(1, Math.floor(max / liveReplicas())) })

  async function admit(tried: readonly AttemptLimit[], windowMs: number): Promise<number | undefined> {
    const maxima = tried.map(({ max }) => max)
    return (await request(scripts.tryScript, keysOf(tried), [windowMs, ...maxima])) || undefined
  }

  async function admitHere(tried: readonly AttemptLimit[], windowMs: number): Promise<number | undefined> {
    const waitMs = await here.admit(tried.map(shareOf), windowMs)
    if (waitMs === undefined) unsent.add(keysOf(tried), windowMs, link.now())
    return waitMs
  }

  async function take(tried: AttemptLimit, { windowMs, pausesMs }: Pace): Promise<number> {
    return (await request(scripts.takeScript, keysOf([tried]), [windowMs, tried.max, ...pausesMs])) ?? 0
  }

  /** Each of n replicas pauses n times as long. */
  function takeHere(tried: AttemptLimit, { windowMs, pausesMs }: Pace): number {
    const waitMs = here.take(shareOf(tried), { windowMs, pausesMs: pausesMs.map((ms) => ms * liveReplicas()) })
    if (waitMs === 0) unsent.add(keysOf([tried]), windowMs, link.now())
    return waitMs
  }

  async function used(from: readonly AttemptLimit[], windowMs: number): Promise<number> {
    const [, ...counts] = await link.run(scripts.countScript, keysOf(from), [windowMs])
    return Math.max(...from.map(({ max }, n) => (counts[n] ?? 0) / max))
  }

  return {
    admit: (tried, windowMs) => orWhileAway(admit(tried, windowMs), () => admitHere(tried, windowMs)),
    async forgive(tried) {
      await orWhileAway(request(scripts.forgiveScript, keysOf(tried), []), () => {
        unsent.forgive(keysOf(tried))
        return here.forgive(tried)
      })
    },
    enqueue: (tried, from, pace) =>
      queue.enqueue(tried.name, from, {
        take: () => orWhileAway(take(tried, pace), () => takeHere(tried, pace)),
        used: () => orWhileAway(used(from, pace.windowMs), () => here.used(from, pace.windowMs)),
      }),
    release: () => queue.release(),
    async remember(name, forMs) {
      await here.remember(name, forMs)
      await orWhileAway(request(scripts.rememberScript, keysOf([{ name }]), [forMs]), () => undefined)
    },
    isRemembered: async (name) =>
      (await here.isRemembered(name)) ||
      (await orWhileAway(request(scripts.isRememberedScript, keysOf([{ name }]), []), () => 0)) === 1,
    flush: unsent.flush,
  }
}

/** Up to a tenth of a second later: of replicas that wait for the same moment, the same one would otherwise always be first. */
const runLaterAtRandom: Later = (ms, run) => runLater(ms === 0 ? 0 : ms + randomInt(100), run)

const unsentMax = 20_000
const sentAtOnce = 100

/** Attempts that this process counted and Redis did not. */
function unsentAttempts() {
  const unsent = new Map<string, { windowMs: number; moments: number[] }>()
  return {
    add(keys: readonly string[], windowMs: number, now: number): void {
      for (const key of keys) {
        const moments = unsent.get(key)?.moments ?? []
        moments.push(Math.floor(now))
        keepNewest(unsent, key, { windowMs, moments }, unsentMax)
      }
    },
    /** Takes back the last attempt under each key. */
    forgive(keys: readonly string[]): void {
      for (const key of keys) unsent.get(key)?.moments.pop()
    },
    /** Counts them in Redis; a failed one is lost or counted twice, which an attacker cannot rely on. */
    async flush(run: Run): Promise<void> {
      while (unsent.size > 0) {
        const sending = [...unsent.entries().take(sentAtOnce)]
        for (const [key] of sending) unsent.delete(key)
        await Promise.all(
          sending.map(([key, { windowMs, moments }]) =>
            run(scripts.addScript, [key], [windowMs, JSON.stringify(moments)]),
          ),
        )
      }
    },
  }
}
