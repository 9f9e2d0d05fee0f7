import { Problem } from "../../kernel/problem.ts"
import type { Exchange } from "../exchange.ts"

/** Exports that are written at once, of all people; each of them may have one. */
const openMax = 4
const retryAfter = 10

/** Takes a place for an export of this person until its response has ended; throws the 503 when there is none. */
export function exportRoom(): (personId: number, exchange: Exchange) => void {
  const people = new Set<number>()

  return (personId, { response }) => {
    if (people.has(personId))
      throw new Problem("unavailable", "An export of yours is running. Wait for it to end", { retryAfter })
    if (people.size >= openMax)
      throw new Problem("unavailable", `${openMax} exports are running, as many as there may be. Try again soon`, {
        retryAfter,
      })
    // A client that has gone is not announced again.
    if (response.destroyed) return
    people.add(personId)
    response.once("close", () => people.delete(personId))
  }
}
