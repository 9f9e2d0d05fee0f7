import type { Invalidation, Signal } from "../../../core/domain/ports/signals.ts"
import { memorySignals } from "../../../core/memory/signals.ts"
import { type Link, orWhileAway } from "./link.ts"

/** Bounds the effect of a lost signal, so that losses (a failover, a half-open connection) need no detection. */
const maxDelayMs = 5_000

/** Signals to every replica on the same Redis, which receives them on a channel. */
export function redisSignals(link: Pick<Link, "publish">, runId: string) {
  const channel = "petstore:credentials-changed"
  const here = memorySignals()

  async function announce(signal: Signal): Promise<void> {
    await here.announce(signal)
    await orWhileAway(link.publish(channel, `${runId} ${signal.accountId}`), () => undefined)
  }

  return {
    channel,
    receive(message: string): void {
      const [from, accountId] = message.split(" ")
      if (from !== runId && Number.isSafeInteger(Number(accountId)))
        void here.announce({ kind: "credentials-changed", accountId: Number(accountId) })
    },
    signals: { maxDelayMs, announce, listen: here.listen } satisfies Invalidation,
  }
}
