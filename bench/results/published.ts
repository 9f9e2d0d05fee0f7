import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TaskVerdict } from "../../src/examiner/verdict.ts"
import type { DefectMeans } from "../../src/parts/sandbox/defects/contract.ts"
import { commitOf, describeMachine, type Results } from "../results.ts"

/** What was observed, and the requests, are of what was missed; `unstable` is what two runs said differently. */
export type Outcome = Pick<TaskVerdict, "chapter" | "name" | "source" | "observed" | "requests"> & {
  outcome: TaskVerdict["outcome"] | "unstable"
}

/** When and where something was measured. */
export type Occasion = { date: string; commit: string; machine: Results["machine"] }

/** What a part measured, at once. */
type Measured<T> = Occasion & { skipped: Skipped[] } & T

export type Skipped = { name: string; reason: string }

/** The outcomes of what was examined: clients, or services. */
export type Examined = {
  name: string
  version: string
  isDocumented?: true
  options?: string
  verdicts: Outcome[]
}

/** `by` has what failed only with the defect, at most three. */
export type Finding = { defect: string; category: string; outcome: "found" | "missed" | "undecided"; by?: string[] }

/** What a tool gets in its command, beside an address and a key for everything. */
export type Given = { operations: "all" | "classic"; means: readonly DefectMeans[] }

/** The categories of defects, in their order. */
export const categories = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ category }) => category)),
]

/**
 * What one tool found, each measured for itself. `load` is the load average of its last five minutes. `withoutDefect` is what it reports of
 * the service without a defect; of measurements before these were kept, their number.
 */
export type ToolResult = Occasion & {
  name: string
  version: string
  command: string
  given: Given
  seconds: number
  load?: number
  findings: Finding[]
  withoutDefect: string[] | number
}

export type Parts = {
  exam: Measured<{ clients: Examined[] }>
  conform: Measured<{ services: Examined[] }>
  defects: { tools: ToolResult[]; skipped: Skipped[] }
}

export const published = join(import.meta.dirname, "..", "..", "docs", "results")
const fileOf = (part: keyof Parts): string => join(published, `${part}.json`)

export function readPart<Name extends keyof Parts>(name: Name): Parts[Name] | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), "utf8")) : undefined
}

/** Now, here. */
export const describeOccasion = (): Occasion => ({
  date: new Date().toISOString().slice(0, 10),
  commit: commitOf(published),
  machine: describeMachine(),
})

export function writePart<Name extends keyof Parts>(name: Name, part: Parts[Name]): void {
  // One line for each outcome.
  const text = JSON.stringify(part).replaceAll(/\{"(chapter|name|defect)":/g, "\n$&")
  writeFileSync(fileOf(name), `${text}\n`)
}
