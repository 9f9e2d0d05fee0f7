import assert from "node:assert/strict"
import type { TestContext } from "node:test"
import { judgeHistory } from "./checker.ts"
import { type Call, refused } from "./record.ts"
import { runWorkload } from "./workload.ts"

const clients = 8

/** Marks the time from a kill until everything responds again. */
export const killed = { client: 0, kind: "kill", key: "", do: "kill" } as const

/** Runs the workload while things fail, and asserts that the history is possible. */
export async function recordAndJudge(
  t: TestContext,
  checker: string,
  service: Parameters<typeof runWorkload>[0],
  disturb: Parameters<typeof runWorkload>[2],
): Promise<Call[]> {
  const history = await runWorkload(service, clients, disturb)
  const verdicts = await judgeHistory(checker, history)
  t.diagnostic(verdicts.map(({ kind, calls, things }) => `${kind}: ${calls} calls, ${things} things`).join("; "))
  assert.deepEqual(
    verdicts.filter(({ wrong }) => wrong !== undefined),
    [],
  )
  for (const { kind, calls } of verdicts) assert.ok(calls > 20, kind)
  assert.ok(history.some(({ status, kind }) => (status === 0 || status === refused) && kind === "pet"))
  return history
}
