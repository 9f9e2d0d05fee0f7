// Runs the tests that hold the promises about reliability, and writes docs/reliability.md with what they measured. Run: npm run verify.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { commitOf, describeMachine } from "../results.ts"
import { notPromised, promises } from "./promises.ts"

type Run = { test: string; passed: number; failed: number; skipped: number; seconds: number; measured: string[] }

const root = join(import.meta.dirname, "..", "..")
const page = join(root, "docs", "reliability.md")
const counts = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

const runs = new Map<string, Run>()
for (const name of new Set(promises.flatMap(({ tests }) => tests))) {
  const run = await runTest(name)
  runs.set(name, run)
  const outcome = run.failed > 0 ? "FAILED" : "passed"
  process.stdout.write(
    `${outcome}  ${name}  ${run.passed} tests${run.skipped > 0 ? `, ${run.skipped} skipped` : ""}, ${run.seconds} s\n`,
  )
}
writeFileSync(page, render())
process.exitCode = [...runs.values()].some(({ failed }) => failed > 0) ? 1 : 0

async function runTest(name: string): Promise<Run> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, "bin", "test.mjs"), `test/slow/${name}.test.ts`], {
    cwd: root,
    env: { ...process.env, CI: "1" },
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
    seconds: Math.round((performance.now() - start) / 1000),
    measured: lines
      .map((line) => line.trim())
      .flatMap((line) => (line.startsWith("ℹ ") && !counts.test(line) ? line.slice(2) : [])),
  }
}

function render(): string {
  const { cores, processor, linux } = describeMachine()
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const rows = promises.map(({ promise, tests }) => {
    const own = tests.map((name) => runs.get(name) as Run)
    const failed = own.reduce((sum, run) => sum + run.failed, 0)
    const skipped = own.reduce((sum, run) => sum + run.skipped, 0)
    const passed = own.reduce((sum, run) => sum + run.passed, 0)
    const outcome = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(
      Boolean,
    )
    const links = tests.map((name) => `[${name}](../test/slow/${name}.test.ts)`)
    return `| ${promise} | ${links.join(", ")} | ${outcome.join(", ")} |`
  })
  const measured = [...runs.values()].flatMap(({ test, measured: lines }) => lines.map((line) => `- ${test}: ${line}`))
  return `# Reliability

What is promised, the tests that hold it, and what they measured last. They kill processes, cut connections and fill disks of real
services with real databases, and need PostgreSQL, Redis and Go. Run them again, in some ten minutes:

\`\`\`sh
npm run verify
npm test -- test/slow/histories.test.ts   # one of them
\`\`\`

| Promise | Tests | Last run |
| --- | --- | --- |
${rows.join("\n")}

Version ${version} at ${commitOf(root)}, on ${new Date().toISOString().slice(0, 10)}: ${cores} cores, ${processor}, Linux ${linux}; ${[...runs.values()].reduce((sum, { seconds }) => sum + seconds, 0)} seconds.

Measured:

${measured.join("\n")}

Not promised:

${notPromised.map((line) => `- ${line}`).join("\n")}

[How histories are judged](decisions/testing.md#histories-are-judged-by-porcupine). Written by \`npm run verify\`.
`
}
