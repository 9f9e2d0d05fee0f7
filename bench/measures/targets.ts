import type { Running } from "../contestants/contestant.ts"
import type { Load } from "../load/wrk.ts"
import { peakMebibytes } from "../machine/processor-time.ts"
import type { Figure, Target } from "../results.ts"
import { type Spread, spreadOf } from "../statistics.ts"
import { measureBesideWrites } from "./beside-writes.ts"
import type { Growth } from "./growth.ts"
import { p99, ratios, runRounds, type Series } from "./rounds.ts"
import { measureStart, startCommands } from "./start-time.ts"

/** Long enough that fewer than one in a hundred requests waited for its connection to be accepted. */
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
    ...share("GET one pet, 304, of a bare 304", unchanged?.ofBare, 0.75, 0.95),
    ...share("100 pets by status, of bare", list?.ofBare, 0.4, 0.7),
    // By processor time: the clock also measures the disk.
    ...share("POST a pet, durable, of the bare GET's processor time", create?.processorOfBare, 0.12, 0.2),
  ]
}

/** p99 during writes, and with many connections. */
export async function latencyTargets(bare: Running, service: Running, rounds: number, load: Load, file: string) {
  const { ratio } = await measureBesideWrites(service, rounds, load, file)
  const cells = [
    { name: "bare", pid: bare.pid, target: bare.targets.get },
    { name: "service", pid: service.pid, target: service.targets.get },
  ].flatMap(({ target, ...cell }) => (target ? [{ ...cell, target }] : []))
  const [floor, ours] = (await runRounds(cells, rounds, manyConnections)) as [Series, Series]
  const times = { unit: " times", isMost: true } as const
  return [
    {
      ...times,
      measure: "p99 of GET beside 1,000 POSTs a second, of p99 without",
      value: ratio,
      reach: 3,
      stretch: 1.5,
    },
    {
      ...times,
      measure: "p99 of GET at 1,000 connections, of bare",
      value: spreadOf(ratios(ours, floor, p99)),
      reach: 2,
      stretch: 1.3,
    },
  ] satisfies Target[]
}

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
