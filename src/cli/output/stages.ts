import type { Maintenance, Report } from "../../domain/admin/contract.ts"
import type { World } from "../command/command.ts"
import { openProgress, type ProgressOutput } from "./progress.ts"

/** Runs maintenance work and shows the progress of each stage. */
export async function withStages<T>(
  { terminal, clock, maintenance }: Pick<World, "terminal" | "clock" | "maintenance">,
  work: (maintenance: Maintenance, report: Report) => Promise<T>,
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
    return await work(await maintenance(), report)
  } finally {
    current?.progress.end()
  }
}
