import type { Closing } from "../../../core/domain/context.ts"
import { slots } from "../../../core/kernel/flow/slots.ts"
import { networkOf } from "../../../core/kernel/network/ip-address.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Identity } from "../../../core/server/exchange/exchange.ts"

/** Delayed responses, of one account (or address, for a request without an account) and in total. */
const delayedMax = { perKey: 64, total: 512 }

/** The response to a request of this caller, or from this address. */
type Delayed = { caller: Identity | undefined; address: string; response: Closing }

export type Delays = {
  /** Reserves a slot until the response has ended. Throws the 503 when there is none. */
  enter(delayed: Delayed): void
  /** Resolves after this time, or as soon as the client has disconnected. */
  pause(delayed: Pick<Delayed, "response">, ms: number): Promise<void>
  /** Begins a pause, which `end` ends. */
  begin(delayed: Pick<Delayed, "response">, ms: number): { ended: Promise<void>; end(): void }
  wake(): void
  /** Ends every pause, also future ones: the service is stopping. */
  drain(): void
}

/** `max` are the responses of one caller, and in total. */
export function createDelays(max = delayedMax): Delays {
  const held = slots<string>(max)
  const wakers = new Set<() => void>()
  let isOver = false

  function wake(): void {
    for (const end of wakers) end()
  }

  const begin: Delays["begin"] = ({ response }, ms) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = () => {
      clearTimeout(timer)
      response.off("close", end)
      wakers.delete(end)
      resolve()
    }
    const timer = setTimeout(end, isOver || response.destroyed ? 0 : ms)
    response.once("close", end)
    wakers.add(end)
    return { ended: promise, end }
  }

  return {
    enter({ caller, address, response }) {
      const holder = caller ? `account ${caller.account.id}` : `address ${networkOf(address) ?? "unknown"}`
      const slot = held.take(holder)
      if (typeof slot === "string")
        throw new Problem("unavailable", "Too many responses are delayed at once; nothing was done", {
          retryAfter: 5,
        })
      if (response.destroyed) slot()
      else response.once("close", slot)
    },

    pause: (delayed, ms) => begin(delayed, ms).ended,
    begin,
    wake,
    drain() {
      isOver = true
      wake()
    },
  }
}
