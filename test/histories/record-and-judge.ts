import assert from "node:assert/strict"
import { randomInt } from "node:crypto"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestContext } from "node:test"
import { judgeHistory } from "./checker.ts"
import { type Call, refused, toLines } from "./record.ts"
import { runWorkload } from "./workload.ts"

const clients = 8

/** Marks the time from a kill until everything responds again. */
export const killed = { client: 0, kind: "kill", key: "", do: "kill" } as const

/** Marks the time in which the network fails: what was sent may arrive later, and a process may try again. */
export const disconnected = { ...killed, do: "disconnect" } as const

/** Runs the workload while things fail, and asserts that the history is possible. */
export async function recordAndJudge(
  t: TestContext,
  checker: string,
  service: Parameters<typeof runWorkload>[0],
  disturb: Parameters<typeof runWorkload>[3],
): Promise<Call[]> {
  const seed = randomInt(2 ** 31)
  t.diagnostic(`seed ${seed}`)
  const history = await runWorkload(service, clients, seed, disturb)
  const verdicts = await judgeHistory(checker, history)
  t.diagnostic(verdicts.map(({ kind, calls, things }) => `${kind}: ${calls} calls, ${things} things`).join("; "))
  const wrong = verdicts.filter((verdict) => verdict.wrong !== undefined)
  if (wrong.length > 0) assert.fail(`${JSON.stringify(wrong)}; the history is in ${keep(history)}`)
  for (const { kind, calls } of verdicts) assert.ok(calls > 10, `${kind}: ${calls} calls`)
  assert.ok(history.some(({ status, kind }) => (status === 0 || status === refused) && kind === "pet"))
  return history
}

/** Writes a history into a file that stays, which `checker < FILE` judges again. */
function keep(history: readonly Call[]): string {
  const file = join(tmpdir(), `petstore-history-${Date.now()}.jsonl`)
  writeFileSync(file, toLines(history))
  return file
}
