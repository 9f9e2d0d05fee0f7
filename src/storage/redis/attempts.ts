import { hash } from "node:crypto"
import type { Attempts, Pace, Tried } from "../../domain/ports/attempts.ts"
import type { Clock } from "../../kernel/clock.ts"
import { memoryCounts } from "../memory/attempts.ts"
import { Turns } from "../memory/turns.ts"
import {
  countScript,
  forgiveScript,
  isRememberedScript,
  rememberScript,
  takeScript,
  tryScript,
} from "./attempts-scripts.ts"
import { type Link, orWhileAway, type Run } from "./link.ts"
import type { UnsentAttempts } from "./unsent-attempts.ts"

/**
 * Attempts counted in Redis, those of one kind together in one slot of a cluster, because a script counts several names at
 * once. While Redis is away, each of the live replicas admits its share, at least one, in its own memory.
 */
export function redisAttempts(
  link: Link,
  kind: string,
  clock: Clock,
  liveReplicas: () => number,
  unsent: UnsentAttempts,
): Attempts {
  const here = memoryCounts(clock)
  const turns = new Turns(clock)
  const ask = async (...asked: Parameters<Run>) => (await link.run(...asked))[1]
  // Names hold addresses and usernames, of any length; nothing needs to read them in Redis.
  const keysOf = (tried: readonly Pick<Tried, "name">[]) =>
    tried.map(({ name }) => `petstore:{attempts:${kind}}:${hash("sha256", name, "base64url")}`)
  const shareOf = ({ name, max }: Tried) => ({ name, max: Math.max(1, Math.floor(max / liveReplicas())) })

  async function admit(tried: readonly Tried[], windowMs: number): Promise<number | undefined> {
    const maxima = tried.map(({ max }) => max)
    return (await ask(tryScript, keysOf(tried), [windowMs, ...maxima])) || undefined
  }

  async function admitHere(tried: readonly Tried[], windowMs: number): Promise<number | undefined> {
    const waitMs = await here.admit(tried.map(shareOf), windowMs)
    if (waitMs === undefined) unsent.add(keysOf(tried), windowMs, link.now())
    return waitMs
  }

  async function take(tried: Tried, { windowMs, pausesMs }: Pace): Promise<number> {
    return (await ask(takeScript, keysOf([tried]), [windowMs, tried.max, ...pausesMs])) ?? 0
  }

  /** Each replica pauses for as many times as long as there are replicas. */
  function takeHere(tried: Tried, { windowMs, pausesMs }: Pace): number {
    const waitMs = here.take(shareOf(tried), { windowMs, pausesMs: pausesMs.map((ms) => ms * liveReplicas()) })
    if (waitMs === 0) unsent.add(keysOf([tried]), windowMs, link.now())
    return waitMs
  }

  async function used(from: readonly Tried[], windowMs: number): Promise<number> {
    const [, ...counts] = await link.run(countScript, keysOf(from), [windowMs])
    return Math.max(...from.map(({ max }, n) => (counts[n] ?? 0) / max))
  }

  return {
    admit: (tried, windowMs) => orWhileAway(admit(tried, windowMs), () => admitHere(tried, windowMs)),
    async forgive(tried) {
      await orWhileAway(ask(forgiveScript, keysOf(tried), []), () => {
        unsent.forgive(keysOf(tried))
        return here.forgive(tried)
      })
    },
    turn: (tried, from, pace) =>
      turns.turn(tried.name, from, {
        take: () => orWhileAway(take(tried, pace), () => takeHere(tried, pace)),
        used: () => orWhileAway(used(from, pace.windowMs), () => here.used(from, pace.windowMs)),
      }),
    release: () => turns.release(),
    async remember(name, forMs) {
      await here.remember(name, forMs)
      await orWhileAway(ask(rememberScript, keysOf([{ name }]), [forMs]), () => undefined)
    },
    isRemembered: async (name) =>
      (await here.isRemembered(name)) ||
      (await orWhileAway(ask(isRememberedScript, keysOf([{ name }]), []), () => 0)) === 1,
  }
}
