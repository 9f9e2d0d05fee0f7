// Decision: docs/decisions/http.md#server-timing-measures-the-operation-as-a-whole

import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { Exchange, Timings } from "./exchange.ts"

/** Runs a part of a request and, where requests are timed, notes in the exchange how long it took, also when it fails. */
export function timed<E extends Exchange, T>(
  exchange: E,
  part: keyof Timings,
  run: (exchange: E) => Awaitable<T>,
): Awaitable<T> {
  const timings = exchange.observation?.timings
  if (!timings) return run(exchange)
  const startedAt = performance.now()
  let running: Awaitable<T>
  try {
    running = run(exchange)
  } catch (error) {
    note(timings, part, startedAt)
    throw error
  }
  // Not `finally`, which takes several turns of the microtask queue.
  if (running instanceof Promise)
    return running.then(
      (value) => {
        note(timings, part, startedAt)
        return value
      },
      (error) => {
        note(timings, part, startedAt)
        throw error
      },
    )
  note(timings, part, startedAt)
  return running
}

function note(timings: Timings, part: keyof Timings, startedAt: number): void {
  timings[part] = performance.now() - startedAt
}
