import type { Awaitable } from "../../kernel/awaitable.ts"
import type { HttpResponse } from "../../kernel/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange, Route } from "../exchange.ts"

const patienceMs = 5_000
const retryAfterS = 5

/** Lets one thing happen while no operation is running: those that run end first, and those that come wait. */
export function createGate() {
  let running = 0
  let opened: Promise<void> | undefined
  let ended = () => {}

  function pass(route: Route, exchange: Exchange): Awaitable<HttpResponse | undefined> {
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

  /** Throws the 503 when something runs for too long, such as a request whose body does not come in. */
  async function whenNoneRuns(): Promise<void> {
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(
      () => over.reject(new Problem("unavailable", detail, { retryAfter: retryAfterS })),
      patienceMs,
    )
    ended = over.resolve
    if (running === 0) ended()
    await over.promise.finally(() => clearTimeout(timer))
  }

  return {
    wrap: (route: Route): Route => ({ ...route, handle: (exchange) => pass(route, exchange) }),

    async alone<T>(work: () => Promise<T>): Promise<T> {
      while (opened) await opened
      const opening = Promise.withResolvers<void>()
      opened = opening.promise
      try {
        await whenNoneRuns()
        return await work()
      } finally {
        opened = undefined
        opening.resolve()
      }
    },
  }
}

const detail = "Requests that are running did not end in time. Nothing was changed"
