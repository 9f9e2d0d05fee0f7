import { openConnection } from "./connection.ts"
import { startTimeoutMs } from "./link.ts"
import { watchProgress } from "./watch-progress.ts"

const pingMs = 1_000
const timeoutMs = 2_000

/** Receives the messages of channels, by name; `subscribed` resolves once it does, or after a second. */
export function openSubscription(url: string, channels: Readonly<Record<string, (message: string) => void>>) {
  const subscriber = openConnection(url, { enableReadyCheck: false })
  const watch = watchProgress(timeoutMs, () => subscriber.disconnect(true))
  const ignore = () => undefined
  subscriber.on("error", ignore)
  const subscribed = Promise.withResolvers<void>()
  const timeout = setTimeout(subscribed.resolve, startTimeoutMs)
  const names = Object.keys(channels)
  subscriber.on("ready", () => void watch(subscriber.subscribe(...names)).then(() => subscribed.resolve(), ignore))
  subscriber.on("message", (channel: string, message: string) => channels[channel]?.(message))
  // A ping detects a half-open connection, which then reconnects.
  const pinging = setInterval(() => subscriber.status === "ready" && watch(subscriber.ping()).catch(ignore), pingMs)
  pinging.unref()

  return {
    subscribed: subscribed.promise.finally(() => clearTimeout(timeout)),
    close(): void {
      clearInterval(pinging)
      subscriber.disconnect()
    },
  }
}
