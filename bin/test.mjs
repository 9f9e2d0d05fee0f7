import { availableParallelism } from "node:os"
import { install, run } from "./runtime.mjs"

const given = process.argv.slice(2)
const patterns = {
  plain: ["src/**/*.test.ts", "test/!(slow)/**/*.test.ts", "test/*.test.ts"],
  slow: ["test/slow/**/*.test.ts"],
}
const [first, ...rest] = given
const files = first === "--slow" ? [...rest, ...patterns.slow] : given.length > 0 ? given : patterns.plain
// Side by side, slow tests would measure one another.
const concurrency = first === "--slow" ? 1 : availableParallelism() + 2

install({ forTests: true })
run(["--test", `--test-concurrency=${concurrency}`, ...files])
