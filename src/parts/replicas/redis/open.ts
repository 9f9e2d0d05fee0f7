import { randomBytes } from "node:crypto"
import type { Clock } from "../../../core/kernel/clock.ts"
import type { Attempts } from "../../../core/kernel/flow/attempts.ts"
import { gauge } from "../../../core/kernel/measure.ts"
import { redisAttempts } from "./attempts.ts"
import { admitScript, mergeScript, restoreScript } from "./limit-scripts.ts"
import { redisLimiter } from "./limiter.ts"
import { type LinkOptions, openLink, orWhileAway, type Run } from "./link.ts"
import { ownCounts } from "./own-counts.ts"
import { PeerCounts } from "./peer-counts.ts"
import { restoring } from "./restore.ts"
import { redisSignals } from "./signals.ts"
import { openSubscription } from "./subscription.ts"

export type RedisOptions = Pick<LinkOptions, "reportOutage" | "now"> & {
  /** A clock that never jumps. */
  clock: Clock
  /** The number of serving replicas, including this one. */
  liveReplicas(): number
  timeoutMs?: number
}

/** How often the replicas learn what this one admitted, and Redis what it missed. */
const flushMs = 500
const admittedChannel = "petstore:admitted"

/** Opens the counters and signals that replicas share. Throws CannotStart when Redis refuses the credentials. */
export async function openRedis(
  url: string,
  { clock, liveReplicas, reportOutage, now, timeoutMs = 1_000 }: RedisOptions,
) {
  const runId = randomBytes(9).toString("base64url")
  const peers = new PeerCounts(runId)
  const own = ownCounts(liveReplicas, (accountId, at) => peers.note(accountId, at))
  const { restore, flush: flushUnsent } = restoring(own, peers, runId)
  const flushes: ((run: Run) => Promise<void>)[] = []
  const link = await openLink(url, {
    scripts: [admitScript, mergeScript, restoreScript],
    timeoutMs,
    now,
    reportOutage,
    async restore(run, dataId, connected) {
      for (const flushAttempts of flushes) await flushAttempts(run)
      await restore(run, dataId, connected)
    },
  })
  const { signals, channel, receive } = redisSignals(link, runId)
  const subscription = openSubscription(url, {
    [channel]: receive,
    [admittedChannel]: (message) => peers.receive(message),
  })
  if (link.isUp()) await subscription.subscribed

  /** While Redis is unavailable, counts stay here until it is available again. */
  async function flush(): Promise<void> {
    if (!link.isUp()) return
    const sending = async () => {
      for (const flushAttempts of flushes) await flushAttempts(link.run)
      await flushUnsent(link.run)
      const message = peers.takeMessage()
      if (message) await link.publish(admittedChannel, message)
    }
    await orWhileAway(sending(), () => undefined)
  }

  // A request may be counted here in the moment in which Redis becomes available.
  const flushing = setInterval(() => void flush(), flushMs).unref()

  return {
    limiter: redisLimiter({ link, own, runId, flush }),
    signals,
    attempts(kind: string): Attempts {
      const { flush, ...attempts } = redisAttempts(link, kind, clock, liveReplicas)
      flushes.push(flush)
      return attempts
    },
    // The counts belong to the other replicas, too.
    forget: async () => {},
    isAway: () => !link.isUp(),
    metrics: [
      gauge("petstore_redis_up", "Whether Redis responds: 1, or 0 while it is away", () => Number(link.isUp())),
    ],
    async close(): Promise<void> {
      clearInterval(flushing)
      await flush()
      subscription.close()
      await link.close()
    },
  }
}
