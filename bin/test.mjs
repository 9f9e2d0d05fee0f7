import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { install } from "./install.mjs"
import { run } from "./runtime.mjs"

const [first, ...rest] = process.argv.slice(2)
const isSlow = first === "--slow"
const isOfNode = first === "--of-node"
const chosen = isSlow || isOfNode ? rest : process.argv.slice(2)
// Far longer than any test takes, on a busy machine too: a test that hangs fails instead of hanging the run. No test has a shorter one.
const timeoutMs = (isSlow || process.env.CI || chosen.length > 0 ? 30 : 10) * 60_000
const preloaded = ["untracked-promises", "open-handles", "processor-time"].map(
  (name) => `--import=${new URL(`../test/harness/${name}.ts`, import.meta.url).href}`,
)
const options = [...preloaded, `--test-timeout=${timeoutMs}`]
const runner = fileURLToPath(new URL("../test/run.ts", import.meta.url))

install({ forTests: true })
// Read by test/harness/effort.ts.
if (isSlow) process.env.TEST_SUITE = "slow"
if (chosen.length > 0) run(["--test", ...options, `--test-concurrency=${availableParallelism() + 2}`, ...chosen])
else run([runner, isSlow ? "slow" : isOfNode ? "node" : "plain", ...options])
