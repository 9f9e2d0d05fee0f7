// Runs the tests that hold the promises about reliability, and writes docs/reliability.md with what they measured. Run:
// npm run verify; npm run verify -- slow/histories runs one of them and writes nothing, seeded only the
// seeded faults, and seeded/1 a third of them.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { runModeOf } from "../../test/harness/together.ts"
import { commitOf, describeMachine } from "../results.ts"
import { notPromised, promises } from "./promises.ts"
import { partsOfFaults, runSeededFaults } from "./seeded.ts"

type Run = { test: string; passed: number; failed: number; skipped: number; seconds: number; measured: string[] }

const root = join(import.meta.dirname, "..", "..")
const page = join(root, "docs", "reliability.md")
const counts = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

const start = performance.now()
const secondsSince = (from: number) => Math.round((performance.now() - from) / 1000)
const runs = new Map<string, Run>()
const ofFaults = "seeded"
const ofParts = Array.from({ length: partsOfFaults }, (_, n) => `${ofFaults}/${n + 1}`)
const known = [...new Set(promises.flatMap(({ tests }) => tests)), ofFaults, ...ofParts]
const named = process.argv.slice(2)
for (const name of named)
  if (!known.includes(name)) {
    process.stderr.write(`${name} is none of ${known.join(", ")}\n`)
    process.exit(2)
  }
const all = named.length > 0 ? named : known.filter((name) => !ofParts.includes(name))
const files = all.filter((name) => !name.startsWith(ofFaults))
const isAlone = (name: string) => runModeOf(fileOf(name)) === "alone"
await runAll(
  files.filter((name) => !isAlone(name)),
  2,
)
await runAll(files.filter(isAlone), 1)
const part = ofParts.findIndex((name) => all.includes(name)) + 1
const seeded =
  all.includes(ofFaults) || part > 0 ? await runSeededFaults(part || undefined) : { faults: [], isWrong: false }
const isWrong = seeded.isWrong || [...runs.values()].some(({ failed }) => failed > 0)
if (named.length === 0) writeFileSync(page, render())
process.stdout.write(`${isWrong ? "FAILED" : "passed"} after ${secondsSince(start)} s\n`)
process.exitCode = isWrong ? 1 : 0

function fileOf(name: string): string {
  return `test/${name}.test.ts`
}

async function runAll(names: readonly string[], concurrency: number): Promise<void> {
  const queue = names.values()
  const lane = async () => {
    for (const name of queue) {
      const run = await runTest(name)
      runs.set(name, run)
      const outcome = run.failed > 0 ? "FAILED" : "passed"
      const skipped = run.skipped > 0 ? `, ${run.skipped} skipped` : ""
      process.stdout.write(`${outcome}  ${name}  ${run.passed} tests${skipped}, ${run.seconds} s\n`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

async function runTest(name: string): Promise<Run> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, "bin", "test.mjs"), fileOf(name)], {
    cwd: root,
    env: { ...process.env, CI: "1", VERIFY: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [out] = await Promise.all([text(child.stdout), once(child, "close")])
  const lines = out.split("\n")
  const count = (what: string) => Number(lines.find((line) => line.startsWith(`ℹ ${what} `))?.split(" ")[2] ?? 0)
  const failed = count("fail") + count("cancelled")
  if (failed > 0 || count("pass") === 0) process.stdout.write(out)
  return {
    test: name,
    passed: count("pass"),
    failed: count("pass") === 0 ? Math.max(1, failed) : failed,
    skipped: count("skipped"),
    seconds: secondsSince(start),
    measured: lines
      .map((line) => line.trim())
      .flatMap((line) => (line.startsWith("ℹ ") && !counts.test(line) ? line.slice(2) : [])),
  }
}

function render(): string {
  const { cores, processor, linux } = describeMachine()
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const linkTo = (name: string) => `[${name.replace("slow/", "")}](../${fileOf(name)})`
  const rows = promises.map(({ promise, tests }) => {
    const own = tests.map((name) => runs.get(name) as Run)
    const failed = own.reduce((sum, run) => sum + run.failed, 0)
    const skipped = own.reduce((sum, run) => sum + run.skipped, 0)
    const passed = own.reduce((sum, run) => sum + run.passed, 0)
    const outcome = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(
      Boolean,
    )
    return `| ${promise} | ${tests.map(linkTo).join(", ")} | ${outcome.join(", ")} |`
  })
  const measured = [...runs.values()].flatMap(({ test, measured: lines }) => lines.map((line) => `- ${test}: ${line}`))
  return `# Reliability

What is promised, the tests that hold it, and what they measured last. They kill processes, cut connections and fill disks of real
services with real databases, and need PostgreSQL, PgBouncer, Patroni, Redis, Go and strace. Run them again, in less than half an hour:

\`\`\`sh
npm run verify
npm run verify -- slow/histories   # one of them
\`\`\`

\`npm run test:slow\` runs all of them with fewer seeds and images, without the network of histories, and engines that are killed.

| Promise | Tests | Last run |
| --- | --- | --- |
${rows.join("\n")}

Version ${version} at ${commitOf(root)}, on ${new Date().toISOString().slice(0, 10)}: ${cores} cores, ${processor}, Linux ${linux}; ${secondsSince(start)} seconds.

Faults that are seeded to see them caught, by \`npm run verify -- seeded\`:

${seeded.faults.map(({ fault, caught, tests }) => `- ${fault} ${caught} of ${tests.length} tests.`).join("\n")}

Measured:

${measured.join("\n")}

Not promised:

${notPromised.map((line) => `- ${line}`).join("\n")}

[How histories are judged](decisions/testing.md#histories-are-judged-by-porcupine). Written by \`npm run verify\`.
`
}
