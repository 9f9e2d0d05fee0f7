import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { install } from "./install.mjs"
import { run, runToEnd } from "./runtime.mjs"

const [first, ...rest] = process.argv.slice(2)
/** Slow tests with timeouts of failing servers; at most two run at once. */
const inPairs = [
  ...[
    "balancer",
    "cluster",
    "cluster-exact",
    "failover",
    "full-disk",
    "postgres-failures",
    "postgres-readiness",
    "recipes-load",
  ],
  ...["redis-away", "redis-lost-replies", "redis-service", "rolling-upgrade", "s3", "stalled-disk"],
]
/** Tests that measure time, load or memory; they run alone. */
const alone = [
  ...[
    "body-cost",
    "console-many",
    "decoder-memory",
    "draining",
    "exposed-sandbox",
    "fairness",
    "guessing",
    "hostile-images",
  ],
  ...["import", "limits", "speed", "unread-budgets", "unread-responses", "upload-memory"],
]
const isSlow = first === "--slow"
// Far longer than any test takes, so that a hanging test fails.
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
  let failed = 0
  for (const [atOnce, files] of [
    [availableParallelism() + 1, `!(${[...inPairs, ...alone].join("|")})`],
    [2, `@(${inPairs.join("|")})`],
    [1, `@(${alone.join("|")})`],
  ])
    if (!isStopped) failed = (await runToEnd(test(atOnce, [...rest, `test/slow/${files}.test.ts`]))) || failed
  process.exit(failed || Number(isStopped))
} else if (first === undefined) run([fileURLToPath(new URL("../test/plain.ts", import.meta.url)), ...options])
else run(test(availableParallelism() + 2, [first, ...rest]))
