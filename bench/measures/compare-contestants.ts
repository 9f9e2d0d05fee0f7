import { type Question, questions, type Running } from "../contestants/contestant.ts"
import type { Load } from "../load/wrk.ts"
import type { Figure } from "../results.ts"
import { spreadOf } from "../statistics.ts"
import { p99, processorTime, ratios, runRounds, type Series, throughput, valuesOf } from "./rounds.ts"

type Figures = Partial<Record<Question, Figure>>

/** Measures every request of every contestant, in the same rounds as a bare server. */
export async function compareContestants(
  bare: Running,
  running: ReadonlyMap<string, Running>,
  rounds: number,
  load: Load,
): Promise<Map<string, Figures>> {
  const all = [["bare", bare], ...running] as [string, Running][]
  // In every round reads precede creates, because creates change the contents of lists.
  const cells = (Object.keys(questions) as Question[]).flatMap((question) =>
    all.flatMap(([name, { pid, targets }]) => {
      const target = targets[question]
      return target ? [{ name: `${question} ${name}`, pid, target }] : []
    }),
  )
  const series = new Map((await runRounds(cells, rounds, load)).map((each) => [each.name, each]))
  const figuresOf = (name: string): Figures =>
    Object.fromEntries(
      (Object.keys(questions) as Question[]).flatMap((question) => {
        const own = series.get(`${question} ${name}`)
        const base = series.get(`${question} bare`) ?? series.get("get bare")
        return own && base ? [[question, figureOf(own, base)]] : []
      }),
    )
  return new Map(all.map(([name]) => [name, figuresOf(name)]))
}

const figureOf = (own: Series, base: Series): Figure => ({
  requestsPerSecond: spreadOf(valuesOf(own, throughput)),
  processorUs: spreadOf(valuesOf(own, processorTime)),
  p99Ms: spreadOf(valuesOf(own, p99)),
  ofBare: spreadOf(ratios(own, base, throughput)),
  processorOfBare: spreadOf(ratios(base, own, processorTime)),
  roundsKept: own.roundsKept,
})
