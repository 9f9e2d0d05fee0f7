// Runs the tests that hold the promises about reliability, and writes docs/reliability.md with what they measured. Run:
// npm run verify; npm run verify -- slow/histories replaces the rows of one of them, seeded those of the seeded faults. seeded/1
// runs a seventh of the faults and writes nothing, nor does --seed S, which repeats the histories of a seed; --soak 60 runs an hour of
// mixed load, and status marks what is stale.
import { parseArgs } from "node:util"
import { runModeOf } from "../../test/harness/together.ts"
import { writeReliabilityPage } from "./page.ts"
import { promises } from "./promises.ts"
import {
  currentOrigin,
  type Origin,
  type Reliability,
  type Run,
  readReliability,
  writeReliability,
} from "./reliability.ts"
import { fileOf, runTest } from "./run-test.ts"
import { partsOfFaults, runSeededFaults } from "./seeded.ts"
import type { UsageSample } from "./soak/samples.ts"
import { isBoundedSoak } from "./soak/section.ts"
import { runSoak } from "./soak/soak.ts"
import { staleIn } from "./status.ts"

const start = performance.now()
const secondsSince = (from: number) => Math.round((performance.now() - from) / 1000)
const tests = [...new Set(promises.flatMap((promise) => promise.tests))]
const ofFaults = "seeded"
/** So that each third has a dozen samples. */
const soakMinutesMin = 9
const ofParts = Array.from({ length: partsOfFaults }, (_, n) => `${ofFaults}/${n + 1}`)
const { values, positionals } = parseArgs({
  options: { soak: { type: "boolean" }, seed: { type: "string" } },
  allowPositionals: true,
})
// Read by test/harness/effort.ts.
if (values.seed !== undefined) process.env.VERIFY_SEED = values.seed
/** A part of the faults is no measurement of all, nor is a repetition: nothing is written. */
const isPart = positionals.some((name) => ofParts.includes(name)) || values.seed !== undefined
const origin = isPart ? undefined : currentOrigin()

if (values.soak) await soak(positionals[0])
else if (positionals[0] === "status") reportStale()
else await verify(values.seed === undefined ? positionals : ["slow/histories"])

async function verify(named: readonly string[]): Promise<void> {
  refuseUnknown(named)
  const names = named.length > 0 ? named : [...tests, ofFaults]
  const { runs: last } = readReliability()
  const secondsOf = (name: string) => last[name]?.seconds ?? 0
  // What took longest starts first, so that two at once end together.
  const files = names.filter((name) => tests.includes(name)).toSorted((a, b) => secondsOf(b) - secondsOf(a))
  const isAlone = (name: string) => runModeOf(fileOf(name)) === "alone"
  const beside = await runAll(
    files.filter((name) => !isAlone(name)),
    2,
  )
  const alone = await runAll(files.filter(isAlone), 1)
  const runs = [...beside, ...alone]
  const part = ofParts.findIndex((name) => names.includes(name)) + 1
  const isSeededWrong = (names.includes(ofFaults) || part > 0) && (await seed(part))
  if (named.length === 0) keep((last, origin) => ({ ...last, all: { seconds: secondsSince(start), ...origin } }))
  const isWrong = isSeededWrong || runs.some(({ failed }) => failed > 0)
  process.stdout.write(`${isWrong ? "FAILED" : "passed"} after ${secondsSince(start)} s\n`)
  process.exitCode = isWrong ? 1 : 0
}

function refuseUnknown(named: readonly string[]): void {
  const known = [...tests, ofFaults, ...ofParts]
  for (const name of named)
    if (!known.includes(name)) {
      process.stderr.write(`${name} is none of ${known.join(", ")}\n`)
      process.exit(2)
    }
}

async function runAll(names: readonly string[], concurrency: number): Promise<Run[]> {
  const queue = names.values()
  const runs: Run[] = []
  const lane = async () => {
    for (const name of queue) {
      const run = await runTest(name)
      runs.push(run)
      keep((last, origin) => ({ ...last, runs: { ...last.runs, [name]: { ...run, ...origin } } }))
      const outcome = run.failed > 0 ? "FAILED" : "passed"
      const skipped = run.skipped > 0 ? `, ${run.skipped} skipped` : ""
      process.stdout.write(`${outcome}  ${name}  ${run.passed} tests${skipped}, ${run.seconds} s\n`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return runs
}

/** Runs the seeded faults, or a part of them from 1; returns whether one was missed. */
async function seed(part: number): Promise<boolean> {
  const began = performance.now()
  const { faults, isWrong } = await runSeededFaults(part || undefined)
  const caught = faults.map(({ fault, caught, tests }) => ({ fault, caught, tests: tests.length }))
  keep((last, origin) => ({ ...last, seeded: { faults: caught, seconds: secondsSince(began), ...origin } }))
  return isWrong
}

async function soak(minutes = "60"): Promise<void> {
  if (!/^\d{1,3}$/.test(minutes) || Number(minutes) < soakMinutesMin) {
    process.stderr.write(`--soak takes ${soakMinutesMin} to 999 minutes, not ${minutes}\n`)
    process.exit(2)
  }
  const ending = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => ending.abort())
  const measured = await runSoak(Number(minutes) * 60_000, ending.signal, reportSample)
  if (ending.signal.aborted) process.stdout.write("ended early: nothing is written\n")
  else keep((last, origin) => ({ ...last, soak: { ...measured, ...origin } }))
  process.exitCode = ending.signal.aborted || !isBoundedSoak(measured) ? 1 : 0
}

/** A line for each minute. */
function reportSample(sample: UsageSample, passedMs: number): void {
  if (passedMs % 60_000 !== 0) return
  const values = Object.entries(sample).map(([name, value]) => `${name} ${Math.round(value)}`)
  process.stdout.write(`${passedMs / 60_000} min  ${values.join("  ")}\n`)
}

/** Replaces what was measured, and writes the page; what no promise names any more is dropped. */
function keep(change: (last: Reliability, origin: Origin) => Reliability): void {
  if (!origin) return
  const { runs, ...others } = change(readReliability(), origin)
  const promised = tests.flatMap((name) => (runs[name] ? [[name, runs[name]] as const] : []))
  const reliability = { ...others, runs: Object.fromEntries(promised) }
  writeReliability(reliability)
  writeReliabilityPage(reliability, origin.source)
}

/** Lists what is stale, and marks it in the page. */
function reportStale(): void {
  const stale = staleIn(readReliability(), tests, currentOrigin().source)
  keep((last) => last)
  process.stdout.write(
    stale.length > 0 ? `Stale in docs/reliability.md:\n${stale.join("\n")}\n` : "Nothing is stale.\n",
  )
  process.exitCode = stale.length > 0 ? 1 : 0
}
