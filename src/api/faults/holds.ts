import { slots } from "../../kernel/flow/slots.ts"
import { networkOf } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/pipeline/exchange.ts"

/** Delayed responses, of one account (or address, for a request without an account) and in total. */
const heldMax = { ofOne: 64, inAll: 512 }

export type Holds = ReturnType<typeof createHolds>

/** Bounds the responses that clients can hold open by requesting delays. */
export function createHolds() {
  const held = slots<string>(heldMax)
  const wakers = new Set<() => void>()
  let isOver = false

  function wake(): void {
    for (const end of wakers) end()
  }

  return {
    /** Reserves a slot until the response has ended. Throws the 503 when there is none. */
    enter({ caller, address, response }: Exchange): void {
      const holder = caller ? `account ${caller.account.id}` : `address ${networkOf(address) ?? "unknown"}`
      const slot = held.take(holder)
      if (typeof slot === "string")
        throw new Problem("unavailable", "Too many responses are delayed at once; nothing was done", {
          retryAfter: 5,
        })
      response.once("close", slot)
    },

    /** Resolves after this time, or as soon as the client has disconnected. */
    pause: ({ response }: Exchange, ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          response.off("close", end)
          wakers.delete(end)
          resolve()
        }
        const timer = setTimeout(end, isOver || response.destroyed ? 0 : ms)
        response.once("close", end)
        wakers.add(end)
      }),

    /** Ends every pause. */
    wake,
    /** Ends every pause, also future ones: the service is stopping. */
    end(): void {
      isOver = true
      wake()
    },
  }
}
