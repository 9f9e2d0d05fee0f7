import type { Awaitable } from "./flow/awaitable.ts"

/** What tells the values of one metric from each other. Each label has a bounded set of values, none of them a caller's choice. */
type Labels = Readonly<Record<string, string>>

/** One value of a metric. */
export type Sample = { labels: Labels; value: number }

/** A metric, described beside what it measures; it is read only when somebody asks. Names and units are Prometheus's. */
export type Metric = { name: string; help: string; labels: readonly string[] } & (
  | { type: "counter" | "gauge"; read(): Awaitable<readonly Sample[]> }
  | { type: "histogram"; read(): readonly { labels: Labels; durations: Durations }[] }
)

/** A part of the service that can be measured. */
export type Measured = { readonly metrics: readonly Metric[] }

/** A metric of one value; it has none while `read` returns undefined. */
export const gauge = (name: string, help: string, read: () => Awaitable<number | undefined>): Metric => ({
  ...{ name, help, type: "gauge", labels: [] },
  async read() {
    const value = await read()
    return value === undefined ? [] : [{ labels: {}, value }]
  },
})

/** A count for each value of one label. */
export const counter = (name: string, help: string, label: string, counts: Counts): Metric => ({
  ...{ name, help, type: "counter", labels: [label] },
  read: () => [...counts.all].map(([key, value]) => ({ labels: { [label]: key }, value })),
})

/** Counts by name; the names come from the program, never from a caller. Those that are `known` are there from the start, at 0. */
export class Counts {
  readonly all: Map<string, number>

  constructor(known: readonly string[] = []) {
    this.all = new Map(known.map((name) => [name, 0]))
  }

  add(name: string): void {
    this.all.set(name, (this.all.get(name) ?? 0) + 1)
  }
}

/** Upper bounds in seconds: those OpenTelemetry recommends for HTTP without 0.075, 0.75 and 7.5, with 0.001 for the many fast ones. */
export const durationBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** How often something took how long, in plain numbers. */
export class Durations {
  /** For each bound how many took longer than the one before and no longer than it; at the end those above all. */
  readonly counts = new Array<number>(durationBounds.length + 1).fill(0)
  sumSeconds = 0

  add(seconds: number): void {
    let at = 0
    while (seconds > (durationBounds[at] as number)) at++
    ;(this.counts[at] as number)++
    this.sumSeconds += seconds
  }
}

/** The requests of some minutes from `startsAt` (ms) on: all of them, those refused (4xx), and those that failed (5xx). */
export type TrafficSlot = { startsAt: number; requests: number; refused: number; failed: number }
