import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TaskVerdict } from "../../src/examiner/verdict.ts"
import { commitOf, describeMachine, type Results } from "../results.ts"

/** What was observed, and the requests, are of what was missed; `unstable` is what two runs said differently. */
export type Outcome = Pick<TaskVerdict, "chapter" | "name" | "source" | "observed" | "requests"> & {
  outcome: TaskVerdict["outcome"] | "unstable"
}

/** What a part measured, and where. */
type Measured<T> = { date: string; commit: string; machine: Results["machine"]; skipped: Skipped[] } & T

export type Skipped = { name: string; reason: string }

/** The outcomes of what was examined: clients, or services. */
export type Examined = { name: string; version: string; isDocumented?: true; options?: string; verdicts: Outcome[] }

type Finding = { defect: string; category: string; outcome: "found" | "missed" | "undecided" }

/** The categories of defects, in their order. */
export const categories = (findings: readonly Finding[]): string[] => [
  ...new Set(findings.map(({ category }) => category)),
]

export type ToolResult = {
  name: string
  version: string
  command: string
  seconds: number
  findings: Finding[]
  falseAlarms: number
}

export type Parts = {
  exam: Measured<{ clients: Examined[] }>
  conform: Measured<{ services: Examined[] }>
  defects: Measured<{ tools: ToolResult[] }>
}

export const published = join(import.meta.dirname, "..", "..", "docs", "results")
const fileOf = (part: keyof Parts): string => join(published, `${part}.json`)

export function readPart<Name extends keyof Parts>(name: Name): Parts[Name] | undefined {
  return existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), "utf8")) : undefined
}

export function writePart<Name extends keyof Parts>(
  name: Name,
  result: Omit<Parts[Name], "date" | "commit" | "machine">,
): void {
  const where = { date: new Date().toISOString().slice(0, 10), commit: commitOf(published), machine: describeMachine() }
  // One line for each outcome.
  const text = JSON.stringify({ ...where, ...result }).replaceAll(/\{"(chapter|name|defect)":/g, "\n$&")
  writeFileSync(fileOf(name), `${text}\n`)
}
