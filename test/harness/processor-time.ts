import { writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { isMainThread } from "node:worker_threads"
import { processorSeconds } from "../../bench/machine/processor-time.ts"

/**
 * Loaded into the process of every test file. When it ends, writes the processor time of it and of all processes that it started
 * into a file of its name, where `test/run.ts` reads it. Only on Linux.
 */
const directory = process.env.TEST_RUN_DIRECTORY

if (process.env.NODE_TEST_CONTEXT && directory && isMainThread && process.platform === "linux")
  process.once("exit", () => {
    writeFileSync(join(directory, `${basename(process.argv[1] ?? "")}.seconds`), String(processorSeconds(process.pid)))
  })
