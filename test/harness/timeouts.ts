import { syncBuiltinESMExports } from "node:module"
import type { TestContext } from "node:test"

/** The timeouts of a test pass only by `tick`, also those that code imports from `node:timers/promises`: `mock.timers` alone leaves these real. */
export function mockTimeouts(t: TestContext) {
  const { timers } = t.mock
  timers.enable({ apis: ["setTimeout"] })
  syncBuiltinESMExports()
  t.after(() => {
    timers.reset()
    syncBuiltinESMExports()
  })
  return timers
}
