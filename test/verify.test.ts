import assert from "node:assert/strict"
import { test } from "node:test"
import { renderReliability } from "../bench/verify/page.ts"
import type { Origin, Run } from "../bench/verify/reliability.ts"
import { triedIn } from "../bench/verify/run-test.ts"
import { judgeUsage } from "../bench/verify/soak/bounds.ts"
import { staleIn } from "../bench/verify/status.ts"
import { reportEffort } from "./harness/report-effort.ts"

const origin = (source: string): Origin => ({ date: "2026-01-02", commit: "c0ffee00", source, machine: "2 cores" })
const run: Run = {
  passed: 2,
  failed: 0,
  skipped: 0,
  seconds: 7,
  tried: [{ test: "a | b", seconds: 3, effort: { kills: "5", seed: "-17" }, notes: ["5 MiB"] }],
}

test("what a test says that it tried is read back with its name and seconds, and what else it prints is a note", () => {
  const lines: string[] = ["ℹ tests 1", "✔ another (10ms)", "✔ nothing (acknowledged) is lost (2600.5ms)"]
  reportEffort(
    { diagnostic: (text) => void lines.push(`ℹ ${text}`, "ℹ 5 MiB") },
    { kills: 5, "in flight": 8, "writes resumed after": "96 ms", seed: -17 },
  )
  assert.deepEqual(triedIn(lines), [
    {
      test: "nothing (acknowledged) is lost",
      seconds: 3,
      effort: { kills: "5", "in flight": "8", "writes resumed after": "96 ms", seed: "-17" },
      notes: ["5 MiB"],
    },
  ])
})

test("the page has a row for each run and each test that tried, and marks what is of another source or not committed", () => {
  const runs = {
    "slow/histories": { ...run, ...origin("aaaa") },
    "slow/limits": { ...run, ...origin("bbbb") },
    "slow/s3": { ...run, failed: 1, ...origin("uncommitted") },
  }
  const page = renderReliability({ runs }, "aaaa", "1.0.0")
  const rowOf = (start: string) => page.split("\n").find((line) => line.startsWith(start))
  assert.match(rowOf("| [histories]") ?? "", /\| 2 \| 7 \| .* c0ffee00, `src` aaaa, 2026-01-02 \|$/)
  assert.equal(rowOf("| – a"), "| – a \\| b |  | 3 | 5 |  |  |  | seed -17; 5 MiB |  |")
  assert.match(rowOf("| [limits]") ?? "", /\*\*stale\*\* \|$/)
  assert.match(rowOf("| [s3]") ?? "", /\| 2, 1 failed \| .*\*\*stale\*\* \|$/)
  assert.match(page, /files not run/)
})

test("what was measured of another source, or not at all, is stale", () => {
  const runs = { one: { ...run, ...origin("aaaa") }, two: { ...run, ...origin("bbbb") } }
  const stale = staleIn(
    { runs, seeded: { faults: [], seconds: 1, ...origin("aaaa") } },
    ["one", "two", "three"],
    "aaaa",
  )
  assert.deepEqual(stale, ["two: of c0ffee00, 2026-01-02", "three: not measured", "soak: not measured"])
  assert.equal(staleIn({ runs }, ["one"], "uncommitted").length, 3)
})

test("a soak is bounded unless a measure grows from its middle third to its last", () => {
  const sample = { memoryMiB: 100, descriptors: 40, files: 50, logMiB: 4, databaseMiB: 1, delayMs: 20 }
  const steady = Array.from({ length: 30 }, () => sample)
  assert.ok(judgeUsage(steady).every(({ isBounded }) => isBounded))
  const growing = steady.map((each, n) => ({ ...each, memoryMiB: 100 + 5 * n, databaseMiB: 10 * n, delayMs: 300 * n }))
  assert.deepEqual(
    judgeUsage(growing).flatMap(({ measure, thirds, isBounded }) => (isBounded ? [] : [[measure, ...thirds]])),
    [
      ["Memory (RSS), MiB", 145, 195, 245],
      ["Delivery of 99 of 100 events within, ms", 2_700, 5_700, 8_700],
    ],
  )
})
