import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Exchange, Timings } from "./exchange.ts"

/** Runs a part of a request and notes in the exchange how long it took, also when it fails. */
export function timed<T>(
  exchange: Exchange,
  part: keyof Timings,
  run: (exchange: Exchange) => Awaitable<T>,
): Awaitable<T> {
  const startedAt = performance.now()
  const note = () => {
    exchange.timings[part] = performance.now() - startedAt
  }
  let running: Awaitable<T> | undefined
  try {
    running = run(exchange)
    return running instanceof Promise ? running.finally(note) : running
  } finally {
    if (!(running instanceof Promise)) note()
  }
}
