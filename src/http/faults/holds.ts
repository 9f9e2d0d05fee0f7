import { slots } from "../../kernel/flow/slots.ts"
import { networkOf } from "../../kernel/network/ip-address.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../pipeline/exchange.ts"

/** Responses held back at once, of one account (or address, where a request has no account) and of all. */
const heldMax = { ofOne: 64, inAll: 512 }

/** What may be held back on purpose, and for how long. */
export type Holds = ReturnType<typeof createHolds>

/** Bounds what strangers can hold open by asking for slow responses. */
export function createHolds() {
  const held = slots<string>(heldMax)
  const wakers = new Set<() => void>()
  let isOver = false

  function wake(): void {
    for (const end of wakers) end()
  }

  return {
    /** Takes a place until the response has ended. Throws the 503 when there is none. */
    enter({ caller, address, response }: Exchange): void {
      const holder = caller ? `account ${caller.account.id}` : `address ${networkOf(address) ?? "unknown"}`
      const slot = held.take(holder)
      if (typeof slot === "string")
        throw new Problem("unavailable", "Too many responses are held back at once; nothing was done", {
          retryAfter: 5,
        })
      response.once("close", slot)
    },

    /** Resolves after so long, or as soon as nobody waits for the response any more. */
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
    /** Ends those that are still to come, too: the service is about to stop. */
    end(): void {
      isOver = true
      wake()
    },
  }
}
