import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { temporaryDirectory } from "../harness/directory.ts"
import { alertNames, promtool, rulesFile, withoutPromtool as skip } from "../harness/prometheus.ts"

const requests = "http_server_request_duration_seconds"
const disk = (free: number) => [
  { series: 'petstore_disk_free_bytes{disk="database"}', values: `${free}x20` },
  { series: 'petstore_disk_size_bytes{disk="database"}', values: "50000000000x20" },
]
const buckets = (fast: number, slow: number) =>
  [
    ["0.5", fast],
    ["1", fast + slow],
    ["+Inf", fast + slow],
  ].map(([le, each]) => ({
    series: `${requests}_bucket{instance="a",http_request_method="GET",operation="getPetById",le="${le}"}`,
    values: `0+${each}x20`,
  }))
const flushes = (fast: number, slow: number) =>
  [
    ["0.5", fast],
    ["1", fast + slow],
    ["+Inf", fast + slow],
  ].map(([le, each]) => ({
    series: `petstore_database_flush_duration_seconds_bucket{instance="a",file="log",le="${le}"}`,
    values: `0+${each}x20`,
  }))
const statuses = (good: number, bad: number) =>
  [
    ["200", good],
    ["503", bad],
  ].map(([code, each]) => ({
    series: `${requests}_count{instance="a",http_response_status_code="${code}"}`,
    values: `0+${each}x20`,
  }))

/** Samples, once a minute for twenty minutes: those that must fire the alert, and those just below its threshold. */
const cases: Record<string, { fires: object[]; silent: object[] }> = {
  PetstoreDown: {
    fires: [{ series: 'up{job="petstore"}', values: "0x20" }],
    silent: [{ series: 'up{job="petstore"}', values: "1x20" }],
  },
  PetstoreErrors: {
    fires: [{ series: 'petstore_problems_total{code="internal-error"}', values: "0x17 1 1 1" }],
    silent: [{ series: 'petstore_problems_total{code="not-found"}', values: "0+9x20" }],
  },
  PetstoreUnavailable: { fires: statuses(980, 20), silent: statuses(995, 5) },
  PetstoreSlow: { fires: buckets(980, 20), silent: buckets(995, 5) },
  PetstoreEventLoopLate: {
    fires: [{ series: "nodejs_eventloop_lag_p99_seconds", values: "0.3x20" }],
    silent: [{ series: "nodejs_eventloop_lag_p99_seconds", values: "0.1x20" }],
  },
  PetstoreCommitsWaiting: {
    fires: [{ series: "petstore_commits_waiting", values: "2000x20" }],
    silent: [{ series: "petstore_commits_waiting", values: "900x20" }],
  },
  PetstoreDeliveriesLate: {
    fires: [{ series: "petstore_deliveries_oldest_due_age_seconds", values: "400x20" }],
    silent: [{ series: "petstore_deliveries_oldest_due_age_seconds", values: "200x20" }],
  },
  PetstoreDiskLow: { fires: disk(4e9), silent: disk(6e9) },
  PetstoreLogLarge: {
    fires: [{ series: "petstore_database_wal_size_bytes", values: "300000000+1000000x20" }],
    silent: [
      { series: 'petstore_database_wal_size_bytes{instance="a"}', values: "200000000+1000000x20" },
      { series: 'petstore_database_wal_size_bytes{instance="b"}', values: "100000000x10 300000000x10" },
    ],
  },
  PetstoreDiskStalled: {
    fires: [{ series: "petstore_database_flush_age_seconds", values: "0x19 6" }],
    silent: [{ series: "petstore_database_flush_age_seconds", values: "4x20" }],
  },
  PetstoreDiskSlow: { fires: flushes(980, 20), silent: flushes(995, 5) },
  PetstoreCheckpointFailing: {
    fires: [{ series: "petstore_database_checkpoint_failing", values: "1x20" }],
    silent: [{ series: "petstore_database_checkpoint_failing", values: "0x19 1" }],
  },
  PetstoreRecordsDamaged: {
    fires: [{ series: 'petstore_damaged_records{kind="pets"}', values: "1x20" }],
    silent: [{ series: 'petstore_damaged_records{kind="pets"}', values: "0x20" }],
  },
  PetstoreFileDescriptors: {
    fires: ["process_open_fds", "process_max_fds"].map((series) => ({ series, values: "1000x20" })),
    silent: [
      { series: "process_open_fds", values: "800x20" },
      { series: "process_max_fds", values: "1000x20" },
    ],
  },
  PetstoreConnectionsExhausted: {
    fires: [{ series: "petstore_database_connections_waiting", values: "1x20" }],
    silent: [{ series: "petstore_database_connections_waiting", values: "0x15 9x4" }],
  },
  PetstoreRowsLocked: {
    fires: [{ series: "petstore_database_locks_waiting", values: "1x20" }],
    silent: [{ series: "petstore_database_locks_waiting", values: "5x18 0 5" }],
  },
  PetstoreCreatesWaiting: {
    fires: [{ series: "petstore_database_inputs_waiting", values: "101x20" }],
    silent: [{ series: "petstore_database_inputs_waiting", values: "100x20" }],
  },
  PetstoreRedisAway: {
    fires: [{ series: "petstore_redis_up", values: "0x20" }],
    silent: [{ series: "petstore_redis_up", values: "1x19 0" }],
  },
  PetstoreIssuerAway: {
    fires: [{ series: "petstore_issuer_up", values: "0x20" }],
    silent: [{ series: "petstore_issuer_up", values: "1x6 0x13" }],
  },
}

test("every alert has a case", () => {
  assert.deepEqual(Object.keys(cases), alertNames)
})

test("every alert fires above its threshold", { skip }, () => {
  const { output } = alertsOf("fires")
  for (const alert of Object.keys(cases)) assert.ok(output.includes(`alertname: ${alert},`), `${alert} does not fire`)
})

test("no alert fires below its threshold", { skip }, () => {
  const { status, output } = alertsOf("silent")
  assert.equal(status, 0, output)
})

/** What promtool reports about these series after 20 minutes: a difference to the expected alerts, of which there are none. */
function alertsOf(kind: "fires" | "silent"): { status: number | null; output: string } {
  using directory = temporaryDirectory()
  const file = join(directory.path, "test.json")
  const tests = Object.entries(cases).map(([alertname, { [kind]: series }]) => ({
    interval: "1m",
    input_series: series,
    alert_rule_test: [{ eval_time: "20m", alertname, exp_alerts: [] }],
  }))
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }))
  const { status, stdout, stderr } = promtool(["test", "rules", file])
  return { status, output: stdout + stderr }
}
