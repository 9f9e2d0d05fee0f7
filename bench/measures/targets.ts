import type { Running } from "../contestants/contestant.ts"
import { type Load, onceAccepted } from "../load/wrk.ts"
import { peakMebibytes } from "../machine/processor-time.ts"
import type { Figure, KindFigure, Target } from "../results.ts"
import { type Spread, spreadOf } from "../statistics.ts"
import { measureBesideWrites } from "./beside-writes.ts"
import type { FirstUse } from "./first-use.ts"
import type { Growth } from "./growth.ts"
import { type Cell, p99, runRounds, type Series, valuesOf } from "./rounds.ts"
import { measureStart, startCommands } from "./start-time.ts"

const manyConnections = { connections: 1000, seconds: 5 }

/** Throughput as shares of a bare server's. */
export function throughputTargets({
  get,
  limited,
  unchanged,
  list,
  create,
}: Partial<Record<string, Figure>>): Target[] {
  const share = (measure: string, value: Spread | undefined, reach: number, stretch: number): Target[] =>
    value ? [{ measure, unit: "", value, reach, stretch, isMost: false }] : []
  return [
    ...share("GET one pet, unlimited key, of bare", get?.ofBare, 0.75, 0.95),
    ...share("GET one pet, limited key, of bare", limited?.ofBare, 0.7, 0.85),
    ...share("GET one pet, limited key, of an unlimited one by processor time", ofUnlimited(get, limited), 0.9, 0.95),
    ...share("GET one pet, 304, of a bare 304", unchanged?.ofBare, 0.65, 0.95),
    ...share("100 pets by status, of bare", list?.ofBare, 0.4, 0.7),
    // By processor time: the clock also measures the disk.
    ...share("POST a pet, durable, of the bare GET's processor time", create?.processorOfBare, 0.12, 0.2),
  ]
}

const ofUnlimited = (get: Figure | undefined, limited: Figure | undefined): Spread | undefined =>
  get && limited && exactly(get.processorUs.median / limited.processorUs.median)

/** Processor time of kinds of requests: in reads of one pet, or in microseconds. */
export function kindTargets(kinds: readonly KindFigure[]): Target[] {
  const inReads = { "100 pets by status, any page": 6, "MCP `getPetById`": 4 }
  const inMicroseconds = {
    "100 pets by category and tag, any page": 600,
    "no pet by category and tag": 100,
    "verify, by status": 1000,
  }
  const of = (goals: Record<string, number>, unit: string, value: (kind: KindFigure) => Spread): Target[] =>
    kinds.flatMap((kind) => {
      const reach = goals[kind.name]
      return reach === undefined ? [] : [{ measure: kind.name, unit, value: value(kind), reach, isMost: true }]
    })
  return [
    ...of(inReads, " reads", ({ ofRead }) => ofRead),
    ...of(inMicroseconds, " µs", ({ processorUs }) => processorUs),
  ]
}

/** What the first use of a part costs others: no turn of the event loop may hold them for long. */
export const firstUseTargets = (firstUse: Record<string, FirstUse>): Target[] =>
  Object.entries(firstUse).map(([name, { own, beside }]) => ({
    measure: `longest GET beside the first use of ${name} (which takes ${own.median.toFixed(0)} ms)`,
    unit: " ms",
    value: beside,
    reach: 50,
    isMost: true,
  }))

/** p99 in milliseconds: during writes, and with many connections, while they are accepted and after that. */
export async function latencyTargets(bare: Running, service: Running, rounds: number, load: Load, file: string) {
  const { alone, beside } = await measureBesideWrites(service, rounds, load, file)
  const { connections } = manyConnections
  const cells = [bare, service].flatMap(({ pid, targets: { get } }): Cell[] =>
    get === undefined
      ? []
      : [
          { name: "at once", pid, target: get },
          { name: "accepted", pid, target: onceAccepted(get, connections) },
        ],
  )
  const [bareAtOnce, bareAccepted, atOnce, accepted] = (await runRounds(cells, rounds, manyConnections)) as Four
  const times = { unit: " ms", isMost: true } as const
  const many = `p99 of GET at ${connections.toLocaleString("en")} connections`
  const p99Of = (series: Series) => spreadOf(valuesOf(series, p99))
  const bareHas = (series: Series) => `bare: ${p99Of(series).median.toFixed(0)} ms`
  return [
    { ...times, measure: "p99 of GET, 32 connections", value: alone, reach: 5, stretch: 2 },
    { ...times, measure: "p99 of GET beside 1,000 POSTs a second", value: beside, reach: 15, stretch: 8 },
    { ...times, measure: `${many} opened at once (${bareHas(bareAtOnce)})`, value: p99Of(atOnce), reach: 500 },
    { ...times, measure: `${many} once accepted (${bareHas(bareAccepted)})`, value: p99Of(accepted), reach: 100 },
  ] satisfies Target[]
}

type Four = [Series, Series, Series, Series]

export function growthTargets({ lists, reads }: Growth): Target[] {
  return [
    ...Object.entries(lists).map(([name, value]): Target => {
      const measure = `list ${name} at 1,000,000 pets, of its time at 10,000`
      return { measure, unit: " times", value, reach: 2, isMost: true }
    }),
    { measure: "GET at 1,000,000 pets, of that at 10", unit: "", value: reads, reach: 0.85, isMost: false },
  ]
}

export const memoryTarget = (service: Running): Target => ({
  measure: "maximum memory under all of this load",
  unit: " MiB",
  value: exactly(peakMebibytes(service.pid)),
  reach: 220,
  stretch: 150,
  isMost: true,
})

export const sizeTarget = (mebibytes: number): Target => ({
  measure: "installed size",
  unit: " MiB",
  value: exactly(mebibytes),
  reach: 200,
  isMost: true,
})

/** Duration of a start on this store, which no process has open. */
export async function startTargets(dataDir: string, rounds: number): Promise<Target[]> {
  const seconds = ({ median, min, max }: Spread) => ({ median: median / 1000, min: min / 1000, max: max / 1000 })
  const target = async (measure: string, command: readonly string[], reach: number): Promise<Target> => {
    const value = seconds(await measureStart(command, dataDir, rounds))
    return { measure, unit: " s", value, reach, stretch: 0.25, isMost: true }
  }
  return [
    await target("start to first response, launcher", startCommands.launcher, 0.45),
    await target("start to first response, `npm start`", startCommands.npm, 0.5),
  ]
}

const exactly = (value: number): Spread => ({ median: value, min: value, max: value })
