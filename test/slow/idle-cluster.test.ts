import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { processorSeconds } from "../../bench/machine/processor-time.ts"
import { startCluster, withoutCluster } from "../harness/cluster.ts"

const settleMs = 10_000
const measuredMs = 10_000

test("without requests, what replicas do for each other costs each, PostgreSQL and Redis at most 5 % of a core", {
  skip: withoutCluster,
}, async () => {
  await using cluster = await startCluster()
  await pause(settleMs)
  const pids = [...cluster.replicas.map(({ pid }) => pid), cluster.postgres.pid(), cluster.redis.pid()]
  const before = pids.map(processorSeconds)
  await pause(measuredMs)
  const percent = pids.map((pid, n) => ((processorSeconds(pid) - (before[n] as number)) * 100_000) / measuredMs)
  assert.ok(Math.max(...percent) <= 5, `${percent.map((each) => each.toFixed(1)).join(", ")} % of a core`)
})
