import { execFileSync } from "node:child_process"
import { cpus, release, totalmem } from "node:os"
import type { Component } from "./contestants/cluster.ts"
import type { Question } from "./contestants/contestant.ts"
import type { Spread } from "./statistics.ts"

/** The results of one request for one contestant. */
export type Figure = {
  requestsPerSecond: Spread
  /** Processor time of the server in microseconds per request. */
  processorUs: Spread
  p99Ms: Spread
  /** Throughput relative to a bare server in the same rounds, and the inverse ratio of processor time. */
  ofBare: Spread
  processorOfBare: Spread
  roundsKept: number
}

/** The results of one kind of request to this service, beside a read of one pet in the same rounds. */
export type KindFigure = {
  name: string
  processorUs: Spread
  /** Its processor time relative to that of the read. */
  ofRead: Spread
  p99Ms: Spread
}

/** The results of one request with replicas that share a database; processor time of each component in microseconds per request. */
export type ReplicaFigure = {
  question: Question
  setup: string
  requestsPerSecond: Spread
  p99Ms: Spread
  processorUs: Record<Component, Spread>
}

/** A measure with its target; `isMost` when less is better. */
export type Target = { measure: string; unit: string; value: Spread; reach: number; stretch?: number; isMost: boolean }

export type Results = {
  mode: string
  date: string
  commit: string
  machine: { processor: string; cores: number; memoryGiB: number; linux: string; node: string }
  rounds: number
  secondsEach: number
  pets: number
  contestants: { name: string; skipped?: string; figures: Partial<Record<Question, Figure>> }[]
  kinds: KindFigure[]
  targets: Target[]
  /** Or the reason why there are none. */
  replicas: ReplicaFigure[] | string
  replicasMeasured: { date: string; commit: string }
  notes: string[]
}

export const describeMachine = (): Results["machine"] => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  linux: release(),
  node: process.versions.node,
})

/** Warns when other processes disturbed more than a tenth of the runs. */
export function warnOfForeignLoad(figures: readonly Results["contestants"][number]["figures"][], rounds: number) {
  const kept = figures.flatMap((each) => Object.values(each).map(({ roundsKept }) => roundsKept))
  const disturbed = kept.length * rounds - kept.reduce((sum, each) => sum + each, 0)
  if (disturbed <= (kept.length * rounds) / 10) return []
  return [
    `Other programs were busy on this machine: ${disturbed} of ${kept.length * rounds} runs had less than 90 % of it. ` +
      "The figures are approximate: repeat the measurement on a quiet machine.",
  ]
}

export const commitOf = (root: string): string =>
  execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim()

/** The git tree of `src` as it is committed; "uncommitted" when a file differs. */
export function sourceOf(root: string): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
  return git("status", "--porcelain", "--", "src") === "" ? git("rev-parse", "--short=8", "HEAD:src") : "uncommitted"
}
