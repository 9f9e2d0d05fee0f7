import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { install } from "./install.mjs"
import { run, runToEnd } from "./runtime.mjs"

const [first, ...rest] = process.argv.slice(2)
/** Slow tests that measure time, load or memory, which others would take from them. */
const alone = [
  ...[
    "body-cost",
    "browser",
    "console",
    "console-many",
    "cluster",
    "cluster-exact",
    "draining",
    "exposed-sandbox",
    "failover",
    "fairness",
  ],
  ...["full-disk", "hostile-images", "import", "limits", "postgres-failures", "postgres-readiness", "recipes-load"],
  ...[
    "redis-away",
    "redis-lost-replies",
    "redis-service",
    "rolling-upgrade",
    "s3",
    "slow-receivers",
    "speed",
    "unread-responses",
  ],
  "upload-memory",
].join("|")
const isSlow = first === "--slow"
// Far longer than any test takes: a test that hangs fails instead of hanging the run.
const timeoutMs = (isSlow || process.env.CI ? 30 : 2) * 60_000
const openHandles = new URL("../test/harness/open-handles.ts", import.meta.url).href
const options = [`--import=${openHandles}`, `--test-timeout=${timeoutMs}`]

const test = (concurrency, files) => ["--test", ...options, `--test-concurrency=${concurrency}`, ...files]

install({ forTests: true })
if (isSlow) {
  let isStopped = false
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(signal, () => {
      isStopped = true
    })
  const together = await runToEnd(test(availableParallelism(), [...rest, `test/slow/!(${alone}).test.ts`]))
  const byThemselves = isStopped ? 1 : await runToEnd(test(1, [...rest, `test/slow/@(${alone}).test.ts`]))
  process.exit(together || byThemselves)
} else if (first === undefined) run([fileURLToPath(new URL("../test/plain.ts", import.meta.url)), ...options])
else run(test(availableParallelism() + 2, [first, ...rest]))
