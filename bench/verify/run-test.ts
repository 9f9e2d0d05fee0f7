import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { parseEffort } from "../../test/harness/report-effort.ts"
import type { Run, Tried } from "./reliability.ts"

const root = join(import.meta.dirname, "..", "..")

export const fileOf = (name: string): string => `test/${name}.test.ts`

/** Runs a test file with full effort; prints its output when a test fails. */
export async function runTest(name: string): Promise<Run> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(root, "bin", "test.mjs"), fileOf(name)], {
    cwd: root,
    env: { ...process.env, CI: "1", VERIFY: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [out] = await Promise.all([text(child.stdout), once(child, "close")])
  const lines = out.split("\n").map((line) => line.trim())
  const count = (what: string) => Number(lines.find((line) => line.startsWith(`ℹ ${what} `))?.split(" ")[2] ?? 0)
  const failed = count("fail") + count("cancelled")
  if (failed > 0 || count("pass") === 0) process.stdout.write(out)
  return {
    passed: count("pass"),
    failed: count("pass") === 0 ? Math.max(1, failed) : failed,
    skipped: count("skipped"),
    seconds: Math.round((performance.now() - start) / 1000),
    tried: triedIn(lines),
  }
}

const counts = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /

/** What the lines of the reporter `spec` say below each test. */
export function triedIn(lines: readonly string[]): Tried[] {
  const all = new Set<Tried>()
  let last: Tried = { test: "", seconds: 0, effort: {}, notes: [] }
  for (const line of lines) {
    const [, test, ms] = /^✔ (.+) \(([\d.]+)ms\)$/.exec(line) ?? []
    if (test !== undefined) last = { test, seconds: Math.round(Number(ms) / 1000), effort: {}, notes: [] }
    if (!line.startsWith("ℹ ") || counts.test(line)) continue
    const effort = parseEffort(line.slice(2))
    if (effort) Object.assign(last.effort, effort)
    else last.notes.push(line.slice(2))
    all.add(last)
  }
  return [...all]
}
