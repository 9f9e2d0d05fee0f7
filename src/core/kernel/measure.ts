import type { Awaitable } from "./flow/awaitable.ts"

/** The labels of a metric. Each has a bounded set of values that callers cannot extend. */
type Labels = Readonly<Record<string, string>>

export type Sample = { labels: Labels; value: number }

/** A metric, defined beside what it measures and read only on demand. Names and units follow Prometheus. */
export type Metric = { name: string; help: string; labels: readonly string[] } & (
  | { type: "counter" | "gauge"; read(): Awaitable<readonly Sample[]> }
  | { type: "histogram"; read(): readonly { labels: Labels; distribution: Distribution }[] }
)

export type Measured = { readonly metrics: readonly Metric[] }

/** A metric with one value; no value while `read` returns undefined. */
export const gauge = (name: string, help: string, read: () => Awaitable<number | undefined>): Metric => ({
  name,
  help,
  type: "gauge",
  labels: [],
  async read() {
    const value = await read()
    return value === undefined ? [] : [{ labels: {}, value }]
  },
})

/** A counter with one label. */
export const counter = (name: string, help: string, label: string, counts: Counts): Metric => ({
  name,
  help,
  type: "counter",
  labels: [label],
  read: () => [...counts.all].map(([key, value]) => ({ labels: { [label]: key }, value })),
})

/** Counts by name; callers cannot add names. `known` names start at 0: Prometheus ignores the first sample of a new series. */
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
const durationBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** A histogram of what it is given, with these upper bounds. */
export class Distribution {
  readonly bounds: readonly number[]
  /** Counts per interval, each up to its bound, inclusive; the last is above all bounds. */
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(value: number): void {
    let at = 0
    while (value > (this.bounds[at] as number)) at++
    ;(this.counts[at] as number)++
    this.sum += value
  }
}

/** A histogram of durations in seconds. */
export class Durations extends Distribution {
  constructor() {
    super(durationBounds)
  }
}

/** The requests of a few minutes from `startsAt` (ms): all, refused (4xx) and failed (5xx). */
export type TrafficSlot = { startsAt: number; requests: number; refused: number; failed: number }
