import { type Load, runLoad, type Sample, type Target } from "../load/wrk.ts"
import { undisturbed } from "../machine/undisturbed.ts"

/** One thing to measure: a request to a server. */
export type Cell = { name: string; pid: number; target: Target }

/** What one cell gave in each round; a round with foreign load is left out, unless that was most of them. */
export type Series = { name: string; samples: (Sample | undefined)[]; roundsKept: number }

const warmUpSeconds = 1

/** Measures every cell in every round, in turns of direction, so that what drifts touches all of them alike. */
export async function runRounds(cells: readonly Cell[], rounds: number, load: Load): Promise<Series[]> {
  const all = new Map(cells.map((cell) => [cell, [] as Awaited<ReturnType<typeof measure>>[]]))
  const measure = ({ pid, target }: Cell) => undisturbed(() => runLoad(pid, target, load))

  for (const { pid, target } of cells) await runLoad(pid, target, { ...load, seconds: warmUpSeconds })
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`)
    for (const cell of round % 2 === 1 ? cells : cells.toReversed()) all.get(cell)?.push(await measure(cell))
  }
  return [...all].map(([{ name }, watched]) => {
    const kept = watched.filter(({ isDisturbed }) => !isDisturbed).length
    const takesAll = kept < rounds / 2
    const samples = watched.map(({ value, isDisturbed }) => (takesAll || !isDisturbed ? value : undefined))
    return { name, samples, roundsKept: kept }
  })
}

/** The quotient of two series, round by round, where both have one. */
export function ratios(series: Series, base: Series, of: (sample: Sample) => number): number[] {
  return series.samples.flatMap((sample, round) => {
    const other = base.samples[round]
    return sample && other ? [of(sample) / of(other)] : []
  })
}

export const valuesOf = ({ samples }: Series, of: (sample: Sample) => number): number[] =>
  samples.flatMap((sample) => (sample ? [of(sample)] : []))

export const throughput = ({ requestsPerSecond }: Sample): number => requestsPerSecond
export const processorTime = ({ processorUs }: Sample): number => processorUs
export const p99 = ({ p99Ms }: Sample): number => p99Ms
