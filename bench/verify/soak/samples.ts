import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** What a service uses at one time, and how late deliveries were since the sample before. */
export type UsageSample = {
  memoryMiB: number
  descriptors: number
  /** In the data directory, with those below. */
  files: number
  logMiB: number
  databaseMiB: number
  delayMs: number
}

const mebibyte = 1024 ** 2

/** Samples a process and its data directory (proc(5)). `delaysMs` is emptied; none in `sinceMs` is a delay of that time. */
export function takeSample(pid: number, dataDir: string, delaysMs: number[], sinceMs: number): UsageSample {
  const [, kibibytes = ""] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  const delays = delaysMs.splice(0).sort((a, b) => a - b)
  const sizeOf = (name: string) => (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0) / mebibyte
  return {
    memoryMiB: Number(kibibytes) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files: countFiles(dataDir),
    logMiB: sizeOf("petstore.db-wal"),
    databaseMiB: sizeOf("petstore.db"),
    delayMs: delays[Math.ceil(delays.length * 0.99) - 1] ?? sinceMs,
  }
}

const countsMax = 10

/** The service removes directories of sandboxes while they are read. */
function countFiles(directory: string): number {
  for (let count = 1; ; count++)
    try {
      return readdirSync(directory, { recursive: true }).length
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || count === countsMax) throw error
    }
}
