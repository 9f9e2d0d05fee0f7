import type { Stock } from "../contestants/contestant.ts"
import { kindsOf, read } from "../contestants/kinds.ts"
import type { Load } from "../load/wrk.ts"
import type { ServerProcess } from "../machine/server-process.ts"
import type { KindFigure } from "../results.ts"
import { spreadOf } from "../statistics.ts"
import { p99, processorTime, ratios, runRounds, type Series, valuesOf } from "./rounds.ts"

/** Measures requests of every kind to one service that has served all of them, each beside a read in the same rounds. */
export async function measureEveryKind(
  service: ServerProcess,
  rounds: number,
  load: Load,
  stock: Stock,
): Promise<KindFigure[]> {
  const targets = Object.entries(await kindsOf(service, stock))
  const cells = targets.map(([name, target]) => ({ name, pid: service.pid, target }))
  const series = await runRounds(cells, rounds, load)
  const base = series.find(({ name }) => name === read) as Series
  return series.map((each) => ({
    name: each.name,
    processorUs: spreadOf(valuesOf(each, processorTime)),
    ofRead: spreadOf(ratios(each, base, processorTime)),
    p99Ms: spreadOf(valuesOf(each, p99)),
  }))
}
