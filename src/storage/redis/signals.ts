import type { Invalidation, Signal } from "../../domain/ports/signals.ts"
import { memorySignals } from "../memory/signals.ts"
import { openConnection } from "./connection.ts"
import { type Link, orWhileAway, startTimeoutMs } from "./link.ts"
import { watchProgress } from "./watch-progress.ts"

const channel = "petstore:credentials-changed"
const pingMs = 1_000
const timeoutMs = 2_000
/** Bounds the effect of a lost signal, so that losses (a failover, a half-open connection) need no detection. */
const unheardMsMax = 5_000

/** Signals to every replica on the same Redis. `subscribed` resolves once this replica receives them, or after a second. */
export function redisSignals(url: string, link: Pick<Link, "publish">, runId: string) {
  const here = memorySignals()
  const subscriber = openConnection(url, { enableReadyCheck: false })
  const watch = watchProgress(timeoutMs, () => subscriber.disconnect(true))
  const ignore = () => undefined
  subscriber.on("error", ignore)
  const subscribed = Promise.withResolvers<void>()
  const timeout = setTimeout(subscribed.resolve, startTimeoutMs)
  subscriber.on("ready", () => void watch(subscriber.subscribe(channel)).then(() => subscribed.resolve(), ignore))
  subscriber.on("message", (_channel: string, message: string) => {
    const [from, accountId] = message.split(" ")
    if (from !== runId && Number.isSafeInteger(Number(accountId)))
      void here.announce({ kind: "credentials-changed", accountId: Number(accountId) })
  })
  // A ping detects a half-open connection, which then reconnects.
  const pinging = setInterval(() => subscriber.status === "ready" && watch(subscriber.ping()).catch(ignore), pingMs)
  pinging.unref()

  async function announce(signal: Signal): Promise<void> {
    await here.announce(signal)
    await orWhileAway(link.publish(channel, `${runId} ${signal.accountId}`), () => undefined)
  }

  return {
    subscribed: subscribed.promise.finally(() => clearTimeout(timeout)),
    signals: { unheardMsMax, announce, listen: here.listen } satisfies Invalidation,
    close(): void {
      clearInterval(pinging)
      subscriber.disconnect()
    },
  }
}
