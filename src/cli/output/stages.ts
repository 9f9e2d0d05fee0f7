import type { Report, World } from "../command.ts"
import { openProgress } from "./progress.ts"

/** Shows the progress of work in several stages, each by its name; `end` removes what is left of it on a terminal. */
export function openStages({ terminal, clock }: Pick<World, "terminal" | "clock">): { report: Report; end(): void } {
  let current: { what: string; progress: ReturnType<typeof openProgress> } | undefined
  return {
    report(what, done, total, unit) {
      if (current?.what !== what) {
        current?.progress.end()
        current = { what, progress: openProgress(terminal, clock, total, { what, unit }) }
      }
      current.progress.update(done, done)
    },
    end: () => current?.progress.end(),
  }
}
