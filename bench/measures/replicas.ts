import { type Cluster, type Component, components } from "../contestants/cluster.ts"
import type { Question } from "../contestants/contestant.ts"
import { type Load, runLoad, type Sample } from "../load/wrk.ts"
import { processorSeconds } from "../machine/processor-time.ts"
import { undisturbed } from "../machine/undisturbed.ts"
import type { ReplicaFigure } from "../results.ts"
import { spreadOf } from "../statistics.ts"

type Run = Sample & { costs: Record<Component, number> }
const measured: readonly Question[] = ["get", "limited", "list", "create", "batch"]

/** Requests per second of one replica and of three, and the processor time per request of every component. */
export async function measureReplicas(cluster: Cluster, rounds: number, load: Load): Promise<ReplicaFigure[]> {
  const cells = [
    ...measured.flatMap((question) =>
      Object.entries(cluster.targets).flatMap(([setup, targets]) => {
        const target = targets[question]
        return target ? [newCell(question, setup, () => runLoad(process.pid, target, load))] : []
      }),
    ),
    newCell("create", "the floor: pgbench inserts one row", () => cluster.insertRows(load)),
  ]
  for (const { run } of cells) await run()
  for (let round = 1; round <= rounds; round++) {
    process.stderr.write(`  round ${round} of ${rounds}\n`)
    for (const { run, runs } of round % 2 === 1 ? cells : cells.toReversed()) {
      const { value } = await undisturbed(async () => {
        const before = secondsOf(cluster)
        const sample = await run()
        const after = secondsOf(cluster)
        return { ...sample, costs: each((name) => ((after[name] - before[name]) * 1e6) / sample.requests) }
      })
      runs.push(value)
    }
  }
  return cells.map(({ question, setup, runs }) => ({
    ...{ question, setup },
    requestsPerSecond: spreadOf(runs.map(({ requestsPerSecond }) => requestsPerSecond)),
    p99Ms: spreadOf(runs.map(({ p99Ms }) => p99Ms)),
    processorUs: each((name) => spreadOf(runs.map(({ costs }) => costs[name]))),
  }))
}

const newCell = (question: Question, setup: string, run: () => Promise<Sample>) => ({
  question,
  setup,
  run,
  runs: [] as Run[],
})

const secondsOf = ({ pids }: Cluster) => each((name) => pids[name].reduce((sum, pid) => sum + processorSeconds(pid), 0))

const each = <T>(of: (name: Component) => T) =>
  Object.fromEntries(components.map((name) => [name, of(name)])) as Record<Component, T>
