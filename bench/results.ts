import { execFileSync } from "node:child_process"
import { cpus, release, totalmem } from "node:os"
import type { Component } from "./contestants/cluster.ts"
import type { Question } from "./contestants/contestant.ts"
import type { Spread } from "./statistics.ts"

/** What one question gave for one contestant. */
export type Figure = {
  requestsPerSecond: Spread
  /** Microseconds of the server's processor time a request. */
  processorUs: Spread
  p99Ms: Spread
  /** Throughput, and processor time the other way round, of a bare server's in the same rounds. */
  ofBare: Spread
  processorOfBare: Spread
  roundsKept: number
}

/** What one question gave where replicas share a database; microseconds of every component's processor time a request. */
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
  targets: Target[]
  /** Or why there are none. */
  replicas: ReplicaFigure[] | string
  notes: string[]
}

export const describeMachine = (): Results["machine"] => ({
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  linux: release(),
  node: process.versions.node,
})

/** Says so when more than a tenth of the runs were made while other processes took part of the machine. */
export function warnOfForeignLoad(figures: readonly Results["contestants"][number]["figures"][], rounds: number) {
  const kept = figures.flatMap((each) => Object.values(each).map(({ roundsKept }) => roundsKept))
  const disturbed = kept.length * rounds - kept.reduce((sum, each) => sum + each, 0)
  if (disturbed <= (kept.length * rounds) / 10) return []
  return [
    `Other programs were busy on this machine: ${disturbed} of ${kept.length * rounds} runs had less than nine tenths of it. ` +
      "Take the figures as a sketch, and measure again on a quiet machine.",
  ]
}

export const commitOf = (root: string): string =>
  execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim()
