import assert from "node:assert/strict"
import { randomInt } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { chosenSeed, isThorough } from "../harness/effort.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { judgeHistory } from "./checker.ts"
import { type Call, refused, toLines } from "./record.ts"
import type { Disturbance } from "./schedule.ts"
import { lackOfSharing } from "./work.ts"
import { type Run, runWorkload } from "./workload.ts"

const clients = 8
/** Calls of each kind without which a history shows too little. A slow machine sends few within the time of the slow suite. */
const callsMin = isThorough ? 10 : 4

/** Marks the time from a kill until everything responds again. */
export const killed = { client: 0, kind: "kill", key: "", do: "kill" } as const

/** Marks the time in which the network fails or something is paused: what was sent may arrive later, and a process may try again. */
export const disconnected = { ...killed, do: "disconnect" } as const

/** What a history repeats: the draws of its clients and, where one was made from the seed, the schedule of what fails. */
type Plan = { seed: number; schedule?: readonly Disturbance[] }

/**
 * The seeds of histories: the chosen one, or others in each run of `npm run verify`. The slow suite has always the same ones, so that
 * what fails there has changed.
 */
export const seedsOf = (count: number, ofSlowSuite: number): number[] => {
  if (chosenSeed !== undefined) return [chosenSeed]
  return isThorough ? Array.from({ length: count }, () => randomInt(2 ** 31)) : [ofSlowSuite]
}

/**
 * Runs the workload while things fail, and asserts that the history is possible. What explains a failure is kept in
 * `data/histories/SEED`, and `npm run verify -- --seed SEED` repeats it: the same draws and the same schedule, but the processes and
 * the network decide how they interleave.
 */
export async function recordAndJudge(
  t: TestContext,
  checker: string,
  service: Parameters<typeof runWorkload>[0],
  disturb: Parameters<typeof runWorkload>[3],
  { seed, schedule = [] }: Plan = { seed: chosenSeed ?? randomInt(2 ** 31) },
): Promise<Call[]> {
  const kinds = schedule.flatMap(({ failures }) => failures.map(({ kind }) => kind))
  const kills = kinds.filter((kind) => kind.startsWith("kill")).length
  const faults = kinds.length
  reportEffort(t, { seed, ...(faults > 0 && { kills, faults, "two at once": faults - schedule.length }) })
  const run = await runWorkload(service, clients, seed, disturb)
  const { calls: history } = run
  const verdicts = await judgeHistory(checker, history)
  t.diagnostic(verdicts.map(({ kind, calls, things }) => `${kind}: ${calls} calls, ${things} things`).join("; "))
  for (const line of provoked(run)) t.diagnostic(line)
  try {
    const wrong = verdicts.filter((verdict) => verdict.wrong !== undefined)
    assert.equal(wrong.length, 0, JSON.stringify(wrong))
    for (const { kind, calls } of verdicts) assert.ok(calls >= callsMin, `${kind}: ${calls} calls`)
    assert.ok(history.some(({ status, kind }) => (status === 0 || status === refused) && kind === "pet"))
    const lack = lackOfSharing(run.work)
    if (lack !== undefined) assert.fail(`did not provoke: ${lack}`)
  } catch (error) {
    t.diagnostic(`the history is in ${keep(seed, { schedule, verdicts }, history)}`)
    throw error
  }
  return history
}

/** How hard a run tried. */
function provoked({ inFlight, work: { groups, cancelled } }: Run): string[] {
  const list = (counts: Iterable<readonly [string, number]>) =>
    [...counts].flatMap(([name, count]) => (count > 0 ? `${name} ${count}` : [])).join(", ")
  const { count, above, median, largest } = groups
  const sizes = `${count} shared transactions, of ${above + 1} to ${median} creates in the median and at most ${largest}`
  return [
    `in flight at ${inFlight.length} faults: ${inFlight.map((calls) => list(calls)).join("; ")}`,
    `${sizes}; cancelled statements: ${list(Object.entries(cancelled)) || "none"}`,
  ]
}

/** Writes a history, which `checker < history.jsonl` judges again, and what belongs to it into a directory that stays. */
function keep(seed: number, facts: object, history: readonly Call[]): string {
  const directory = join(import.meta.dirname, "..", "..", "data", "histories", String(seed))
  mkdirSync(directory, { recursive: true })
  for (const [name, fact] of Object.entries(facts))
    writeFileSync(join(directory, `${name}.json`), `${JSON.stringify(fact, undefined, 2)}\n`)
  writeFileSync(join(directory, "history.jsonl"), toLines(history))
  return directory
}
