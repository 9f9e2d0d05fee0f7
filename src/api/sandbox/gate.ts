import { setTimeout as sleep } from "node:timers/promises"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, HttpRoute } from "../../server/pipeline/exchange.ts"

const patienceMs = 5_000

/**
 * Waits inside an operation for a client that is still sending. Meanwhile the operation does not count as running, so that a slow
 * client delays no reset; `recheck` runs after a reset.
 */
export type Aside = <T>(sending: Promise<T>, recheck: () => Awaitable<unknown>) => Promise<T>

/** Runs work exclusively: running operations end first, and new ones wait. */
export function createGate() {
  let running = 0
  /** How often exclusive work has run. */
  let turns = 0
  let opened: Promise<void> | undefined
  let ended = () => {}

  function pass(route: HttpRoute, exchange: Exchange): Awaitable<HttpResponse | undefined> {
    if (opened) return opened.then(() => pass(route, exchange))
    running++
    let handling: Awaitable<HttpResponse | undefined>
    try {
      handling = route.handle(exchange)
    } catch (error) {
      leave()
      throw error
    }
    if (handling instanceof Promise) return handling.finally(leave)
    leave()
    return handling
  }

  function leave(): void {
    running--
    if (running === 0) ended()
  }

  const aside: Aside = async (sending, recheck) => {
    const before = turns
    leave()
    const [sent] = await Promise.allSettled([sending])
    while (opened) await opened
    running++
    if (sent.status === "rejected") throw sent.reason
    if (turns !== before) await recheck()
    return sent.value
  }

  /** Throws the 503 when an operation runs for too long. */
  async function whenNoneRuns(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = resolve
    if (running === 0) ended()
    const isLate = sleep(patienceMs, true, { ref: false })
    if (await Promise.race([promise, isLate])) throw new Problem("unavailable", detail, { retryAfter: 5 })
  }

  return {
    aside,
    wrap: (route: HttpRoute): HttpRoute => ({ ...route, handle: (exchange) => pass(route, exchange) }),

    async alone<T>(work: () => Promise<T>): Promise<T> {
      while (opened) await opened
      const opening = Promise.withResolvers<void>()
      opened = opening.promise
      try {
        await whenNoneRuns()
        return await work()
      } finally {
        turns++
        opened = undefined
        opening.resolve()
      }
    },
  }
}

const detail = "Running requests did not end in time. Nothing was changed"
