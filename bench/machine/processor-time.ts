import { readdirSync, readFileSync } from "node:fs"

const ticksPerSecond = 100

/** Processor time in seconds of a process and its descendants, including children that have ended. */
export function processorSeconds(pid: number): number {
  const processes = allProcesses()
  const below = (parent: number): number =>
    [...processes]
      .filter(([, process]) => process.parent === parent)
      .reduce((sum, [child, { ticks }]) => sum + ticks + below(child), 0)
  return ((processes.get(pid)?.ticks ?? 0) + below(pid)) / ticksPerSecond
}

/** Processor time in seconds of all processes of the machine since it booted (proc(5), /proc/stat). */
export function busySeconds(): number {
  const [, user, nice, system] = readFileSync("/proc/stat", "utf8").split(/\s+/, 4).map(Number)
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0)) / ticksPerSecond
}

/** Peak memory in MiB of the largest process in this tree. */
export function peakMebibytes(pid: number): number {
  const tree = [pid]
  for (const [child, { parent }] of [...allProcesses()].sort(([a], [b]) => a - b))
    if (tree.includes(parent)) tree.push(child)
  return Math.max(
    ...tree.map((each) => {
      const [, kibibytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${each}/status`, "utf8")) ?? []
      return Number(kibibytes ?? 0) / 1024
    }),
  )
}

/** Parent and processor time of every process, from fields 4 and 14 to 17 of `stat` (proc(5)). */
function allProcesses(): Map<number, { parent: number; ticks: number }> {
  return new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const stat = readStat(name)
        if (stat === undefined) return []
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
        const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
        return [[Number(name), { parent: Number(fields[1]), ticks }] as const]
      }),
  )
}

/** Undefined for a process that has just ended. */
function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
  } catch {
    return undefined
  }
}
