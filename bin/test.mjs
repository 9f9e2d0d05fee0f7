import { availableParallelism } from "node:os"
import { install, run } from "./runtime.mjs"

const given = process.argv.slice(2)
const patterns = {
  plain: ["src/**/*.test.ts", "test/!(slow)/**/*.test.ts", "test/*.test.ts"],
  slow: ["test/slow/**/*.test.ts"],
}
const [first, ...rest] = given
const isSlow = first === "--slow"
const files = isSlow ? [...rest, ...patterns.slow] : given.length > 0 ? given : patterns.plain
// In parallel, slow tests would affect each other's measurements.
const concurrency = isSlow ? 1 : availableParallelism() + 2
// Far longer than any test takes: a test that hangs fails instead of hanging the run.
const timeoutMs = (isSlow || process.env.CI ? 30 : 2) * 60_000
const openHandles = new URL("../test/harness/open-handles.ts", import.meta.url).href

install({ forTests: true })
run(["--test", `--import=${openHandles}`, `--test-concurrency=${concurrency}`, `--test-timeout=${timeoutMs}`, ...files])
