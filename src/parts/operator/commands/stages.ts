import type { World } from "../../../cli/command/command.ts"
import { openProgress, type ProgressOutput } from "../../../cli/output/progress.ts"
import type { Report } from "../contract.ts"

/** Runs work and shows the progress of each of its stages. */
export async function withStages<T>(
  { terminal, clock }: Pick<World, "terminal" | "clock">,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  let current: { what: string; progress: ProgressOutput } | undefined
  const report: Report = (what, done, total, unit) => {
    if (current?.what !== what) {
      current?.progress.end()
      current = { what, progress: openProgress(terminal, clock, total, { what, unit }) }
    }
    current.progress.update(done, done)
  }
  try {
    return await work(report)
  } finally {
    current?.progress.end()
  }
}
