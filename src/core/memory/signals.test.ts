import assert from "node:assert/strict"
import { test } from "node:test"
import { memorySignals } from "./signals.ts"

test("a signal reaches each listener until it stops, and what depends on signals is fresh for a minute at most", async () => {
  const { announce, listen, maxDelayMs } = memorySignals()
  const heard: string[] = []
  const stops = ["one", "other"].map((name) => listen(({ kind }) => void heard.push(`${name} ${kind}`)))
  const changed = { kind: "credentials-changed", accountId: 1 } as const
  await announce(changed)
  assert.deepEqual(heard.splice(0), ["one credentials-changed", "other credentials-changed"])
  stops[0]?.()
  await announce(changed)
  assert.deepEqual(heard, ["other credentials-changed"])
  assert.equal(maxDelayMs, 60_000)
})
