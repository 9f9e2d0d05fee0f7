// Decision: docs/decisions/examiner.md#a-defect-is-found-by-what-fails-with-it-and-not-without
import type { DefectId } from "../contract.ts"

/** What a run of a tool said: its exit code, and what failed by name, where it wrote a report. */
export type ToolRun = { code: number; failures: ReadonlySet<string> | undefined }

export type Judgement = {
  defect: DefectId
  /** `undecided` when nothing distinguishes the run from one that fails without a defect. */
  outcome: "found" | "missed" | "undecided"
  /** What failed with the defect and not without it. */
  by: string[]
}

/** Two runs as one: what failed in either. */
export const mergeRuns = (one: ToolRun, other: ToolRun): ToolRun => ({
  code: one.code || other.code,
  failures: one.failures && other.failures && new Set([...one.failures, ...other.failures]),
})

/** Judges a run with a defect by one without: what fails only with the defect has found it. */
export function judge(defect: DefectId, clean: ToolRun, run: ToolRun): Judgement {
  const by = [...(run.failures ?? [])].filter((name) => !clean.failures?.has(name))
  if (by.length > 0) return { defect, outcome: "found", by }
  if (run.failures && clean.failures) return { defect, outcome: "missed", by }
  if (clean.code !== 0) return { defect, outcome: "undecided", by }
  return { defect, outcome: run.code === 0 ? "missed" : "found", by: run.code === 0 ? [] : [`exit code ${run.code}`] }
}

/** What a tool reports of a service without a defect. */
export const reportsIn = ({ code, failures }: ToolRun): string[] =>
  failures ? [...failures] : code === 0 ? [] : [`exit code ${code}`]
