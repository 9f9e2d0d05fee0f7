import type { TestContext } from "node:test"
import timers, { setImmediate } from "node:timers/promises"
import { applyToImports } from "./builtins.ts"

/**
 * Pauses of `node:timers/promises` end at once during a test, and the wall clock moves on by their time only. `reached` runs
 * after each, with the milliseconds since the start.
 */
export function quickPauses(t: TestContext, reached: (ms: number) => unknown = () => undefined): void {
  const start = Date.now()
  let passed = 0
  t.mock.method(Date, "now", () => start + passed)
  t.mock.method(timers, "setTimeout", async (ms: number) => {
    passed += ms
    await setImmediate()
    await reached(passed)
  })
  applyToImports(t)
}
