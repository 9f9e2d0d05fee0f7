import { Refused } from "../../client/client.ts"
import type { World } from "../command.ts"
import type { Rejection } from "./draft.ts"
import type { Journal } from "./journal.ts"
import { patience } from "./patience.ts"
import { duration } from "./progress.ts"
import type { Marked } from "./source.ts"

/** How many lines may be on their way at once. */
export const inFlightMax = 64

/** What has become of a line: counted under a word, or reported. */
export type Outcome = "blank" | "imported" | "before" | Rejection

/** Only says whether a line fits. */
export const checkOnly = async (marked: Marked): Promise<Outcome> =>
  "blank" in marked ? "blank" : "rejection" in marked ? marked.rejection : "imported"

/** Decides for each line whether to send it, and does. */
export function prepareSending(world: World, journal: Journal, resend: boolean, say: (text: string) => void) {
  let unanswered = journal.isStale && !resend ? inFlightMax : 0
  const answered = patience(world, (ms, why) => say(`Waiting ${duration(ms / 1000)}: ${why}\n`))

  const isHeld = (mark: string): boolean => {
    if (resend) return false
    if (journal.isDoubtful(mark)) return true
    if (unanswered === 0 || journal.wasRefused(mark)) return false
    unanswered -= 1
    journal.doubtful(mark)
    return true
  }

  return async (marked: Marked): Promise<Outcome> => {
    if ("blank" in marked) return "blank"
    const { line, mark } = marked
    if (journal.isDone(mark)) return "before"
    if ("rejection" in marked) return marked.rejection
    if (isHeld(mark)) return inDoubt
    const body = journal.newIds ? { ...marked.draft, id: 0 } : marked.draft
    const headers = { "idempotency-key": `import-${journal.newIds ? "new-ids-" : ""}${journal.source}-${mark}` }
    try {
      const { value } = await answered(() => world.service.client.createPet({ body, headers }))
      journal.done(mark, line.number, value.id)
      return "imported"
    } catch (error) {
      if (!(error instanceof Refused) || [401, 403].includes(error.problem.status)) throw error
      journal.refused(mark)
      return error.problem as Rejection
    }
  }
}

const inDoubt: Rejection = {
  code: "in-doubt",
  detail: "The line was perhaps sent more than a day ago, and its answer is unknown; --resend sends it",
}
