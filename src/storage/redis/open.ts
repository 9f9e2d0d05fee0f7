import { randomBytes } from "node:crypto"
import type { Attempts } from "../../domain/ports/attempts.ts"
import type { Clock } from "../../kernel/clock.ts"
import { gauge } from "../../kernel/measure.ts"
import { admitScript } from "./admit-script.ts"
import { redisAttempts } from "./attempts.ts"
import { type Acknowledged, redisLimiter } from "./limiter.ts"
import { openLink, orWhileAway } from "./link.ts"
import { mergeScript } from "./merge-script.ts"
import { ownCounts } from "./own-counts.ts"
import { restoring } from "./restore.ts"
import { redisSignals } from "./signals.ts"
import { UnsentAttempts } from "./unsent-attempts.ts"

type Options = {
  /** A clock that never jumps. */
  clock: Clock
  liveReplicas(): number
  /** Called with what is wrong when Redis goes away, and with undefined when it is back. */
  tell(reason: string | undefined): void
  /** The time that counts, in place of that of Redis. */
  now?: () => number
  timeoutMs?: number
}

const flushMs = 1_000

/** Opens counters and signals that all replicas share; throws CannotStart when Redis refuses the credentials. */
export async function openRedis(url: string, { clock, liveReplicas, tell, now, timeoutMs = 1_000 }: Options) {
  const runId = randomBytes(9).toString("base64url")
  const own = ownCounts(liveReplicas)
  const acknowledged: Acknowledged = new Map()
  const { restore, flush: flushUnsent } = restoring(own, acknowledged, runId)
  const kinds: UnsentAttempts[] = []
  const link = await openLink(url, {
    ...{ scripts: [admitScript, mergeScript], timeoutMs, now, tell },
    async restore(run, isOther, takeUp) {
      for (const kind of kinds) await kind.flush(run)
      await restore(run, isOther, takeUp)
    },
  })
  const { signals, subscribed, close: closeSignals } = redisSignals(url, link, runId)
  if (link.isUp()) await subscribed

  /** What it cannot give Redis now, it gives it when that is back. */
  async function flush(): Promise<void> {
    if (!link.isUp()) return
    const giving = async () => {
      for (const kind of kinds) await kind.flush(link.run)
      await flushUnsent(link.run)
    }
    await orWhileAway(giving(), () => undefined)
  }

  // A request may be counted here at the very moment Redis is taken up again.
  const flushing = setInterval(() => void flush(), flushMs).unref()

  return {
    limiter: redisLimiter({ link, own, acknowledged, runId, flush }),
    signals,
    attempts(kind: string): Attempts {
      const unsent = new UnsentAttempts()
      kinds.push(unsent)
      return redisAttempts(link, kind, clock, liveReplicas, unsent)
    },
    // The other replicas may not be asked to begin anew.
    forget: async () => {},
    isAway: () => !link.isUp(),
    metrics: [
      gauge("petstore_redis_up", "Whether Redis responds: 1, or 0 while it is away", () => Number(link.isUp())),
    ],
    async close(): Promise<void> {
      clearInterval(flushing)
      await flush()
      closeSignals()
      await link.close()
    },
  }
}
