import { setTimeout as sleep } from "node:timers/promises"
import type { Handle } from "../../core/api/operations/steps.ts"
import type { Caller } from "../../core/domain/accounts/model.ts"
import type { Awaitable } from "../../core/kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../core/kernel/network/http-response.ts"
import { Problem } from "../../core/kernel/problem.ts"
import type { Exchange } from "../../core/server/exchange/exchange.ts"

const patienceMs = 5_000

export type Gate = {
  /** Handles a request as running; it waits while exclusive work runs. */
  pass(handle: Handle, exchange: Exchange<Caller>): ReturnType<Handle>
  /**
   * Waits inside an operation, for a client that is still sending or a test that holds the request. Meanwhile the operation does not
   * count as running, so that it delays no exclusive work; `recheck` runs when there was some.
   */
  outside<T>(waiting: Promise<T>, recheck: () => Awaitable<unknown>): Promise<T>
  /** Runs work exclusively: running operations end first, and new ones wait. Throws the 503 when one runs for too long. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

/** Runs operations beside one another, and a reset alone. */
export function createGate(): Gate {
  let running = 0
  let resets = 0
  let opened: Promise<void> | undefined
  let ended = () => {}

  function pass(handle: Handle, exchange: Exchange<Caller>): Awaitable<HttpResponse | undefined> {
    if (opened) return opened.then(() => pass(handle, exchange))
    running++
    let handling: Awaitable<HttpResponse | undefined>
    try {
      handling = handle(exchange)
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

  const outside: Gate["outside"] = async (waiting, recheck) => {
    const before = resets
    leave()
    const [waited] = await Promise.allSettled([waiting])
    while (opened) await opened
    running++
    if (waited.status === "rejected") throw waited.reason
    if (resets !== before) await recheck()
    return waited.value
  }

  async function whenNoneRuns(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    ended = resolve
    if (running === 0) ended()
    const isLate = sleep(patienceMs, true, { ref: false })
    if (await Promise.race([promise, isLate])) throw new Problem("unavailable", detail, { retryAfter: 5 })
  }

  return {
    pass,
    outside,
    async alone(work) {
      while (opened) await opened
      const opening = Promise.withResolvers<void>()
      opened = opening.promise
      try {
        await whenNoneRuns()
        return await work()
      } finally {
        resets++
        opened = undefined
        opening.resolve()
      }
    },
  }
}

/** Throws the 503 for a request that a reset has overtaken while `what` happened. */
export const refusalAfterReset = (what: string) => (): never => {
  const detail = `The sandbox was reset while ${what}. Nothing was changed. Send it again`
  throw new Problem("unavailable", detail, { retryAfter: 1 })
}

const detail = "Running requests did not end in time. Nothing was changed"
