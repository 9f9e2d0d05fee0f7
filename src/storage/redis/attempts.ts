import { hash } from "node:crypto"
import type { Attempts, Pace, Tried } from "../../domain/ports/attempts.ts"
import type { Clock } from "../../kernel/clock.ts"
import { memoryCounts } from "../memory/attempts.ts"
import { turns } from "../memory/turns.ts"
import {
  addScript,
  countScript,
  forgiveScript,
  isRememberedScript,
  rememberScript,
  takeScript,
  tryScript,
} from "./attempts-scripts.ts"
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
  const here = memoryCounts(clock)
  const { turn, release } = turns(clock)
  const unsent = new Map<string, { windowMs: number; moments: number[] }>()
  // Names hold addresses and usernames, of any length; nobody else needs to read them.
  const keyOf = ({ name }: Pick<Tried, "name">) => `petstore:{attempts:${kind}}:${hash("sha256", name, "base64url")}`

  function shareOf(tried: readonly Tried[]): Tried[] {
    const replicas = liveReplicas()
    return tried.map(({ name, max }) => ({ name, max: Math.max(1, Math.floor(max / replicas)) }))
  }

  async function whileUp<T>(asking: Promise<T>, otherwise: () => T | Promise<T>): Promise<T> {
    try {
      return await asking
    } catch (error) {
      if (error instanceof RedisAway) return otherwise()
      throw error
    }
  }

  function sendLater(key: string, windowMs: number): void {
    const moments = unsent.get(key)?.moments ?? []
    moments.push(Math.floor(link.now()))
    unsent.delete(key)
    unsent.set(key, { windowMs, moments })
    if (unsent.size > namesMax) unsent.delete(unsent.keys().next().value as string)
  }

  async function admitHere(tried: readonly Tried[], windowMs: number): Promise<number | undefined> {
    const waitMs = await here.admit(shareOf(tried), windowMs)
    if (waitMs === undefined) for (const key of tried.map(keyOf)) sendLater(key, windowMs)
    return waitMs
  }

  /** Each replica pauses for as many times as long as there are replicas. */
  function takeHere(tried: Tried, { windowMs, pausesMs }: Pace): number {
    const pauses = pausesMs.map((ms) => ms * liveReplicas())
    const waitMs = here.take(shareOf([tried])[0] as Tried, { windowMs, pausesMs: pauses })
    if (waitMs === 0) sendLater(keyOf(tried), windowMs)
    return waitMs
  }

  async function take(tried: Tried, { windowMs, pausesMs }: Pace): Promise<number> {
    const [, waitMs = 0] = await link.run(takeScript, [keyOf(tried)], [windowMs, tried.max, ...pausesMs])
    return waitMs
  }

  async function used(from: readonly Tried[], windowMs: number): Promise<number> {
    const [, ...counts] = await link.run(countScript, from.map(keyOf), [windowMs])
    return Math.max(...from.map(({ max }, n) => (counts[n] ?? 0) / max))
  }

  async function admit(tried: readonly Tried[], windowMs: number): Promise<number | undefined> {
    const maxima = tried.map(({ max }) => max)
    const [, waitMs] = await link.run(tryScript, tried.map(keyOf), [windowMs, ...maxima])
    return waitMs || undefined
  }

  async function forgiveHere(tried: readonly Tried[]): Promise<void> {
    for (const key of tried.map(keyOf)) unsent.get(key)?.moments.pop()
    await here.forgive(tried)
  }

  const ask = async (...asked: Parameters<Run>) => (await link.run(...asked))[1]

  return {
    admit: (tried, windowMs) => whileUp(admit(tried, windowMs), () => admitHere(tried, windowMs)),
    forgive: (tried) =>
      whileUp(
        ask(forgiveScript, tried.map(keyOf), []).then(() => undefined),
        () => forgiveHere(tried),
      ),
    turn: (tried, from, pace) =>
      turn(tried.name, from, {
        take: () => whileUp(take(tried, pace), () => takeHere(tried, pace)),
        used: () => whileUp(used(from, pace.windowMs), () => here.used(from, pace.windowMs)),
      }),
    release,
    async remember(name, forMs) {
      await here.remember(name, forMs)
      await whileUp(
        ask(rememberScript, [keyOf({ name })], [forMs]).then(() => undefined),
        () => undefined,
      )
    },
    isRemembered: async (name) =>
      (await here.isRemembered(name)) ||
      whileUp(
        ask(isRememberedScript, [keyOf({ name })], []).then((found) => found === 1),
        () => false,
      ),
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
