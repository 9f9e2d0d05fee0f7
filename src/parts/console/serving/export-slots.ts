import { slots } from "../../../core/kernel/flow/slots.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"

/** Concurrent exports of one person, and in total. */
const exportsMax = { perKey: 1, total: 4 }
const refusals = {
  one: "You have an export running. Wait for it to end",
  all: `${exportsMax.total} exports are running, the maximum. Try again soon`,
}

/** Reserves a slot for an export until its response has ended; throws the 503 when there is none. */
export function exportSlots(): (personId: number, exchange: Exchange) => void {
  const running = slots<number>(exportsMax)

  return (personId, { response }) => {
    // After a disconnect the response does not emit `close` again.
    if (response.destroyed) return
    const slot = running.take(personId)
    if (typeof slot === "string") throw new Problem("unavailable", refusals[slot], { retryAfter: 10 })
    response.once("close", slot)
  }
}
