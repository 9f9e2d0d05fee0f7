import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join, relative } from "node:path"
import { finished } from "node:stream/promises"
import { run } from "node:test"
import { spec } from "node:test/reporters"
import {
  filesOf,
  type Group,
  plainFiles,
  plainFilesWithSlow,
  type RunMode,
  root,
  runModeOf,
  slowName,
} from "./harness/together.ts"

/** Slow files that take longest, which start first. */
const longest = [
  ...["published", "clients", "console", "postgres-nouns", "s3", "histories", "browser", "failover", "package"],
  ...["linters", "power-failure", "descriptions", "console-lists"],
]

/** `run.ts plain|slow [OPTION…]`: runs all tests except slow ones, or the slow ones: those in test/slow, and those whose name says so; the options are for Node. */
const [suite, ...execArgv] = process.argv.slice(2)
const stop = new AbortController()
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort())

if (suite === "slow") await runSlow()
else await runPlain()

async function runPlain(): Promise<void> {
  keepFilesInMemory()
  const slow: string[] = []
  await runFiles(entriesOf(plainFiles()), availableParallelism() + 2, { testSkipPatterns: [slowName] }, slow)
  if (slow.length > 0)
    process.stdout.write(
      `\nℹ tests of more than a second, which say (slow) unless the machine was busy:\n${slow.join("\n")}\n`,
    )
}

/** The files of a process each: a group has one. */
function entriesOf(files: Map<Group | undefined, string[]>): string[] {
  const { undefined: own = [], ...groups } = Object.fromEntries(files)
  return [...Object.keys(groups).map((group) => `test/together/${group}.ts`), ...own]
}

async function runSlow(): Promise<void> {
  const all = filesOf(["test/slow/*.test.ts"])
  const first = longest.map((name) => `test/slow/${name}.test.ts`).filter((file) => all.includes(file))
  const runs: [RunMode, number][] = [
    ["together", availableParallelism() + 1],
    ["beside one other", 2],
    ["alone", 1],
  ]
  // Each file has a process of its own.
  const files = Map.groupBy(new Set([...first, ...all]), (file): RunMode => {
    const mode = runModeOf(file)
    return mode === "in a process of its own" ? "together" : mode
  })
  const failed: string[] = []
  for (const [mode, concurrency] of runs) {
    const started = [runFiles(files.get(mode) ?? [], concurrency)]
    // One process after the other, beside those of the files in test/slow.
    if (mode === "together")
      started.push(runFiles(entriesOf(plainFilesWithSlow()), 1, { testNamePatterns: [slowName] }))
    failed.push(...(await Promise.all(started)).flat())
    if (stop.signal.aborted) break
  }
  if (failed.length > 0) process.stdout.write(`\n✖ failing tests of the whole run:\n${failed.join("\n")}\n`)
  if (stop.signal.aborted) process.exitCode = 1
}

type Selected = { testNamePatterns: RegExp[] } | { testSkipPatterns: RegExp[] }

/** Runs the tests of these files; returns the names of those that failed, and adds those that took long to `slow`. */
async function runFiles(
  files: string[],
  concurrency: number,
  selected?: Selected,
  slow: string[] = [],
): Promise<string[]> {
  const failed: string[] = []
  const report = run({
    files: files.map((file) => join(root, file)),
    concurrency,
    execArgv,
    signal: stop.signal,
    ...selected,
  })
    .on("test:fail", ({ name, file = "", details }) => {
      process.exitCode = 1
      if (!isOfSuite(details.error)) failed.push(`  ${name} (${relative(root, file)})`)
    })
    .on("test:pass", ({ name, file = "", details }) => {
      if (details.type !== "suite" && details.duration_ms > 1_000 && !file.endsWith("/static.test.ts"))
        slow.push(`  ${name} (${relative(root, file)})`)
    })
    .compose(spec)
  report.pipe(process.stdout, { end: false })
  await finished(report)
  return failed
}

/** Whether the error only reports that tests inside have failed. */
function isOfSuite(error: object): boolean {
  return "failureType" in error && error.failureType === "subtestsFailed"
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
