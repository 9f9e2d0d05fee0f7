import { Refused } from "../../client/client.ts"
import type { Rejection } from "../../pet-files/draft.ts"
import type { World } from "../command.ts"
import { formatDuration } from "../output/progress.ts"
import type { Journal } from "./journal.ts"
import { createRetry } from "./retry.ts"
import type { MarkedLine } from "./source.ts"

export const inFlightMax = 64

/** The outcome of a line: a counter, or the rejection to report. */
type LineOutcome = "blank" | "imported" | "before" | Rejection

export const checkOnly = async (marked: MarkedLine): Promise<LineOutcome> =>
  "blank" in marked ? "blank" : "rejection" in marked ? marked.rejection : "imported"

/** Creates the function that decides whether to send a line, and sends it. */
export function prepareSending(world: World, journal: Journal, resend: boolean, say: (text: string) => void) {
  let heldLeft = journal.isStale && !resend ? inFlightMax : 0
  const retry = createRetry(world, (ms, why) => say(`Waiting ${formatDuration(ms / 1000)}: ${why}\n`))

  const isHeld = (mark: string): boolean => {
    if (resend) return false
    if (journal.isDoubtful(mark)) return true
    if (heldLeft === 0 || journal.wasRefused(mark)) return false
    heldLeft -= 1
    journal.recordDoubtful(mark)
    return true
  }

  return async (marked: MarkedLine): Promise<LineOutcome> => {
    if ("blank" in marked) return "blank"
    const { line, mark } = marked
    if (journal.isDone(mark)) return "before"
    if ("rejection" in marked) return marked.rejection
    if (isHeld(mark)) return inDoubt
    const body = journal.newIds ? { ...marked.draft, id: 0 } : marked.draft
    const headers = { "idempotency-key": `import-${journal.newIds ? "new-ids-" : ""}${journal.source}-${mark}` }
    try {
      const { value } = await retry(() => world.service.client.addPet({ body, headers }))
      journal.recordDone(mark, line.number, value.id)
      return "imported"
    } catch (error) {
      if (!(error instanceof Refused) || [401, 403].includes(error.problem.status)) throw error
      journal.recordRefused(mark)
      return error.problem as Rejection
    }
  }
}

const inDoubt: Rejection = {
  code: "in-doubt",
  detail: "The line may have been sent more than a day ago, and its response is unknown; use --resend to send it again",
}
