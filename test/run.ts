import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { availableParallelism, cpus, tmpdir } from "node:os"
import { basename, join, relative } from "node:path"
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

type Selected = { testNamePatterns: RegExp[] } | { testSkipPatterns: RegExp[] }

const onlySlow: Selected = { testNamePatterns: [slowName] }

/** Groups with tests that may differ between versions of Node, and their files that cannot: of verbs, which import no module of Node. */
const ofNode: Group[] = ["modules", "nouns", "command-line", "storage", "http"]
const ofLanguage = /^test\/(cases\.test|(accounts|orders|pets|users)\/)/

/** Names of tests that look for what is lost or wrong by chance: one failure is enough. All others may only have lacked processor time. */
const decided = /is possible|acknowledged|\blost\b|power failure|in any order|all of the old/

/**
 * `run.ts plain|slow|node [OPTION…]`: runs all tests except slow ones; the slow ones: those in test/slow, and those whose name says
 * so; or those of the plain ones that may differ between versions of Node. The options are for Node.
 */
const [suite, ...execArgv] = process.argv.slice(2)
const stop = new AbortController()
/** The seconds of each file that has ended. */
const seconds = new Map<string, number>()
if (suite !== "slow") keepFilesInMemory()
/** Of all processes of the run: test/harness/processor-time.ts writes their times there, and petstore.ts a filled sandbox. */
const ofRun = mkdtempSync(join(tmpdir(), "petstore-run-"))
process.env.TEST_RUN_DIRECTORY = ofRun
process.on("exit", () => rmSync(ofRun, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop.abort())

if (suite === "slow") await runSlow()
else if (suite === "node") await runPlain(ofNode.map(entryOf), [slowName, ofLanguage])
else await runPlain(entriesOf(plainFiles()), [slowName])

async function runPlain(files: string[], testSkipPatterns: RegExp[]): Promise<void> {
  const slow: string[] = []
  failOf(await runFiles(files, availableParallelism() + 2, { testSkipPatterns }, slow))
  if (slow.length > 0)
    process.stdout.write(
      `\nℹ tests of more than a second, which say (slow) unless the machine was busy:\n${slow.join("\n")}\n`,
    )
}

/** The files of a process each: a group has one. */
function entriesOf(files: Map<Group | undefined, string[]>): string[] {
  const { undefined: own = [], ...groups } = Object.fromEntries(files)
  return [...Object.keys(groups).map(entryOf), ...own]
}

function entryOf(group: string): string {
  return `test/together/${group}.ts`
}

async function runSlow(): Promise<void> {
  const all = filesOf(["test/slow/*.test.ts"])
  const first = longest.map((name) => `test/slow/${name}.test.ts`).filter((file) => all.includes(file))
  const runs: [RunMode, number][] = [
    ["together", availableParallelism() + 1],
    ["beside two others", 3],
    ["alone", 1],
  ]
  // Each file has a process of its own.
  const files = Map.groupBy(new Set([...first, ...all]), (file): RunMode => {
    const mode = runModeOf(file)
    return mode === "in a process of its own" ? "together" : mode
  })
  const failed: Failed[] = []
  for (const [mode, concurrency] of runs) {
    using _ = reportTime(mode)
    const started = [runFiles(files.get(mode) ?? [], concurrency)]
    // Two processes at a time, beside those of the files in test/slow.
    if (mode === "together") started.push(runFiles(entriesOf(plainFilesWithSlow()), 2, onlySlow))
    failed.push(...(await Promise.all(started)).flat())
    if (stop.signal.aborted) break
  }
  list("failing tests of the whole run", failed)
  failOf(stop.signal.aborted ? failed : [...failed.filter(isDecided), ...(await runAgain(failed))])
}

/** Prints, at the end, how long the files of a mode took, with the processor time, and how much of the processors was idle meanwhile. */
function reportTime(mode: RunMode): Disposable {
  const idleMs = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)
  const [startedAt, idleAtStart] = [performance.now(), idleMs()]
  seconds.clear()
  return {
    [Symbol.dispose]() {
      const ms = performance.now() - startedAt
      const idle = (idleMs() - idleAtStart) / (ms * cpus().length)
      const longest = [...seconds].sort(([, one], [, other]) => other - one).slice(0, 25)
      const lines = longest.map(
        ([file, taken]) => `  ${inSeconds(taken)}, ${inSeconds(processorSecondsOf(file))} of processors  ${file}\n`,
      )
      process.stdout.write(
        `\nℹ ${mode}: ${(ms / 1000).toFixed(0)} s, processors ${(100 * idle).toFixed(0)} % idle\n${lines.join("")}`,
      )
    },
  }
}

function inSeconds(value: number): string {
  return `${value.toFixed(0).padStart(4)} s`
}

function processorSecondsOf(file: string): number {
  const times = join(ofRun, `${basename(file)}.seconds`)
  return existsSync(times) ? Number(readFileSync(times, "utf8")) : Number.NaN
}

type Failed = { name: string; file: string }

function isDecided({ name, file }: Failed): boolean {
  return file === "" || decided.test(name)
}

/** Runs the files of the other tests once more, one after the other with nothing beside them; returns what fails again. */
async function runAgain(failed: readonly Failed[]): Promise<Failed[]> {
  const names = new Set(failed.filter((test) => !isDecided(test)).map(({ file }) => file))
  const [slow, plain] = [true, false].map((isSlow) =>
    [...names].filter((file) => file.startsWith("test/slow/") === isSlow),
  )
  const again = [...(await runFiles(slow ?? [], 1)), ...(await runFiles(plain ?? [], 1, onlySlow))]
  if (names.size > 0) list("of these, failing again with nothing beside them", again)
  return again
}

function list(title: string, tests: readonly Failed[]): void {
  const lines = tests.map(({ name, file }) => `  ${name} (${file})`)
  process.stdout.write(`\n${tests.length === 0 ? "ℹ" : "✖"} ${title}: ${tests.length}\n${lines.join("\n")}\n`)
}

function failOf(failed: readonly Failed[]): void {
  if (failed.length > 0 || stop.signal.aborted) process.exitCode = 1
}

/** Runs the tests of these files; returns those that failed, and adds the names of those that took long to `slow`. */
async function runFiles(
  files: string[],
  concurrency: number,
  selected?: Selected,
  slow: string[] = [],
): Promise<Failed[]> {
  const failed: Failed[] = []
  // node:test never ends a run of no file.
  if (files.length === 0) return failed
  const report = run({
    files: files.map((file) => join(root, file)),
    concurrency,
    execArgv,
    signal: stop.signal,
    ...selected,
  })
    .on("test:fail", ({ name, file = "", details }) => {
      if (!isOfSuite(details.error)) failed.push({ name, file: relative(root, file) })
    })
    .on("test:complete", ({ name, file = "", details }) => {
      if (name === file) seconds.set(relative(root, file), details.duration_ms / 1000)
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
