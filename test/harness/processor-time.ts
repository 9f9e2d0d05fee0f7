import { readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { isMainThread } from "node:worker_threads"

/**
 * Loaded into the process of every test file. When it ends, writes the processor time of it and of all processes that it waited
 * for into a file of its name, where `test/run.ts` reads it. Only on Linux.
 */
const directory = process.env.TEST_PROCESSOR_TIMES
const ticksPerSecond = 100

if (process.env.NODE_TEST_CONTEXT && directory && isMainThread && process.platform === "linux")
  process.once("exit", () => {
    writeFileSync(join(directory, basename(process.argv[1] ?? "")), String(processorSeconds()))
  })

/** From proc(5): utime, stime, cutime and cstime, which follow the name in brackets and ten more values. */
function processorSeconds(): number {
  const values = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? []
  return values.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
}
