import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commitOf, describeMachine, sourceOf } from "../results.ts"
import type { Soak } from "./soak/soak.ts"

const root = join(import.meta.dirname, "..", "..")
const file = join(root, "docs", "reliability.json")

/** When, where and of what something was measured. `source` is the git tree of `src`, or "uncommitted". */
export type Origin = { date: string; commit: string; source: string; machine: string }

/** A test that says how hard it tried, and what else it printed. */
export type Tried = { test: string; seconds: number; effort: Record<string, string>; notes: string[] }

/** The last run of a test file. */
export type Run = { passed: number; failed: number; skipped: number; seconds: number; tried: Tried[] }

/** A seeded fault, and how many of the tests that it names caught it. */
type Caught = { fault: string; caught: number; tests: number }

/** What was measured last of each: by a run of everything or of a piece of it. */
export type Reliability = {
  /** By the name of a file in `test`, without its ending. */
  runs: Record<string, Run & Origin>
  seeded?: { faults: Caught[]; seconds: number } & Origin
  soak?: Soak & Origin
  /** The last run of all tests and seeded faults. */
  all?: { seconds: number } & Origin
}

export const readReliability = (): Reliability =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { runs: {} }

export const writeReliability = (reliability: Reliability): void =>
  writeFileSync(file, `${JSON.stringify(reliability, null, 1)}\n`)

export function currentOrigin(): Origin {
  const { cores, processor, linux } = describeMachine()
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(root),
    source: sourceOf(root),
    machine: `${cores} cores, ${processor}, Linux ${linux}`,
  }
}

/** Whether this was measured of the same source. */
export const isOf = ({ source }: Pick<Origin, "source">, other: string): boolean =>
  source === other && source !== "uncommitted"
