import { type Load, runLoad, type Sample, type Target } from "../load/wrk.ts"
import { undisturbed } from "../machine/undisturbed.ts"

/** One thing to measure: a request to a server. */
export type Cell = { name: string; pid: number; target: Target }

/** What one cell gave in each round, and in how many of them nothing else took the machine. */
export type Series = { name: string; runs: { sample: Sample; isDisturbed: boolean }[]; roundsKept: number }

const warmUpSeconds = 1

/** Measures every cell in every round, in turns of direction, so that what drifts touches all of them alike. */
export async function runRounds(cells: readonly Cell[], rounds: number, load: Load): Promise<Series[]> {
  const series = cells.map(({ name }): Series => ({ name, runs: [], roundsKept: 0 }))
  for (const { pid, target } of cells) await runLoad(pid, target, { ...load, seconds: warmUpSeconds })
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`)
    const turns = [...cells.entries()]
    for (const [index, { pid, target }] of round % 2 === 1 ? turns : turns.toReversed()) {
      const { value: sample, isDisturbed } = await undisturbed(() => runLoad(pid, target, load))
      series[index]?.runs.push({ sample, isDisturbed })
    }
  }
  return series.map(({ name, runs }) => ({ name, runs, roundsKept: runs.filter((run) => !run.isDisturbed).length }))
}

/** The quotient of two series, round by round. */
export function ratios(series: Series, base: Series, of: (sample: Sample) => number): number[] {
  return keep(
    series.runs.flatMap((run, round) => {
      const other = base.runs[round]
      if (other === undefined) return []
      return [{ value: of(run.sample) / of(other.sample), isDisturbed: run.isDisturbed || other.isDisturbed }]
    }),
  )
}

export const valuesOf = ({ runs }: Series, of: (sample: Sample) => number): number[] =>
  keep(runs.map(({ sample, isDisturbed }) => ({ value: of(sample), isDisturbed })))

/** The values of undisturbed rounds, or all of them where most were disturbed. */
function keep(all: readonly { value: number; isDisturbed: boolean }[]): number[] {
  const kept = all.filter(({ isDisturbed }) => !isDisturbed)
  return (kept.length < all.length / 2 ? all : kept).map(({ value }) => value)
}

export const throughput = ({ requestsPerSecond }: Sample): number => requestsPerSecond
export const processorTime = ({ processorUs }: Sample): number => processorUs
export const p99 = ({ p99Ms }: Sample): number => p99Ms
