import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import { run } from "node:test"
import { spec } from "node:test/reporters"
import { filesOf, plainFiles, type RunMode, root, runModeOf } from "./harness/together.ts"

/** `run.ts plain|slow [OPTION…]`: runs all tests except slow ones, or the tests in test/slow; the options are for Node. */
const [suite, ...execArgv] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort())

if (suite === "slow") await runSlow()
else await runPlain()

async function runPlain(): Promise<void> {
  keepFilesInMemory()
  const { undefined: own = [], ...groups } = Object.fromEntries(plainFiles())
  const entries = Object.keys(groups).map((group) => `test/together/${group}.ts`)
  await runFiles([...entries, ...own], availableParallelism() + 2)
}

async function runSlow(): Promise<void> {
  const files = Map.groupBy(filesOf(["test/slow/*.test.ts"]), runModeOf)
  const runs: [RunMode, number][] = [
    ["together", availableParallelism() + 1],
    ["beside one other", 2],
    ["alone", 1],
  ]
  for (const [mode, concurrency] of runs) if (!stop.signal.aborted) await runFiles(files.get(mode) ?? [], concurrency)
  if (stop.signal.aborted) process.exitCode = 1
}

async function runFiles(files: string[], concurrency: number): Promise<void> {
  const report = run({ files: files.map((file) => join(root, file)), concurrency, execArgv, signal: stop.signal })
    .on("test:fail", () => {
      process.exitCode = 1
    })
    .compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
}

/** Stores temporary files in memory where there is enough: half of the run would otherwise wait for the disk. */
function keepFilesInMemory(): void {
  const memory = "/dev/shm"
  const bytesMin = 2 ** 31
  if (!existsSync(memory) || process.availableMemory() < 2 * bytesMin) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < bytesMin) return
  const directory = mkdtempSync(join(memory, "petstore-tests-"))
  // PostgreSQL runs as another user and must reach its files.
  chmodSync(directory, 0o711)
  process.env.TMPDIR = directory
  process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
}
