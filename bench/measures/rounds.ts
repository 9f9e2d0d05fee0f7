import { type Load, runLoad, type Sample, type Target } from "../load/wrk.ts"
import { undisturbed } from "../machine/undisturbed.ts"

/** One measurement: a request to a server. */
export type Cell = { name: string; pid: number; target: Target }

/** The samples of one cell by round, and the number of undisturbed rounds. */
export type Series = { name: string; runs: { sample: Sample; isDisturbed: boolean }[]; roundsKept: number }

/** More than the second that `onceAccepted` waits. */
const warmUpSeconds = 2

/** Measures every cell in every round. Directions alternate, so that drift affects all cells equally. */
export async function runRounds(cells: readonly Cell[], rounds: number, load: Load): Promise<Series[]> {
  const series = cells.map(({ name }): Series => ({ name, runs: [], roundsKept: 0 }))
  for (const { pid, target } of cells) await runLoad(pid, target, { ...load, seconds: warmUpSeconds })
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`)
    const order = [...cells.entries()]
    for (const [index, { pid, target }] of round % 2 === 1 ? order : order.toReversed()) {
      const { value: sample, isDisturbed } = await undisturbed(() => runLoad(pid, target, load))
      series[index]?.runs.push({ sample, isDisturbed })
    }
  }
  return series.map(({ name, runs }) => ({ name, runs, roundsKept: runs.filter((run) => !run.isDisturbed).length }))
}

/** The ratio of two series, round by round. */
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

/** The values of undisturbed rounds, or all values when most rounds were disturbed. */
function keep(all: readonly { value: number; isDisturbed: boolean }[]): number[] {
  const kept = all.filter(({ isDisturbed }) => !isDisturbed)
  return (kept.length < all.length / 2 ? all : kept).map(({ value }) => value)
}

export const throughput = ({ requestsPerSecond }: Sample): number => requestsPerSecond
export const processorTime = ({ processorUs }: Sample): number => processorUs
export const p99 = ({ p99Ms }: Sample): number => p99Ms
