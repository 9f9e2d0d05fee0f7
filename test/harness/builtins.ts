import { syncBuiltinESMExports } from "node:module"
import type { TestContext } from "node:test"

/** Makes what a test mocked in modules of Node hold for code that imports it by name, until the test ends. */
export function applyToImports(t: TestContext): void {
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}
