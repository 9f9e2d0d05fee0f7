import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { Counts } from "../../src/core/kernel/measure.ts"
import { metricsReader } from "../../src/core/observability/metrics.ts"
import { postgresMetrics } from "../../src/parts/replicas/postgres/open.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { readMetrics } from "../harness/metrics.ts"
import { startPetstore } from "../harness/petstore.ts"
import { alertNames, promtool, withoutPromtool as skip } from "../harness/prometheus.ts"

const root = join(import.meta.dirname, "..", "..")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const alerts = read("deploy/alerts.yaml")
const dashboard = read("deploy/grafana-dashboard.json")
const handbook = read("docs/run.md")

const name = /\b(?:http_server|petstore|nodejs|process)_[a-z0-9_]+/g
const namesIn = (text: string): string[] => [...new Set(text.match(name))]

const noRedis = { PETSTORE_REDIS_URL: "redis://127.0.0.1:9" }
const noIssuer = { PETSTORE_OIDC_ISSUER: "http://127.0.0.1:9", PETSTORE_OIDC_AUDIENCE: "petstore" }
const noWork = {
  transactions: { busy: 0, idle: 0, waiting: 0 },
  reading: { busy: 0, idle: 0 },
  inputsWaiting: 0,
  locksWaiting: 0,
  cancellations: new Counts(),
}

/** All metrics of the service on either database: the text, and each name including the suffixes of histograms. */
async function everyMetric(): Promise<{ text: string; names: Set<string> }> {
  await using petstore = await startPetstore({ env: { ...noRedis, ...noIssuer } })
  await petstore.as("special-key").getPetById({ params: { petId: 1 } })
  await readMetrics(petstore)
  petstore.clock.advance(1_000)
  const shared = await metricsReader(
    postgresMetrics(1, () => noWork),
    "",
    petstore.clock,
  )()
  const text = (await (await fetch(`${petstore.url}/metrics`)).text()) + onlyOf("petstore_database_", shared.text)
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  const names = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  return { text, names: new Set(names) }
}

/** The lines about metrics with this prefix. */
const onlyOf = (name: string, text: string): string =>
  text
    .split("\n")
    .filter((line) => line.replace(/^# (HELP|TYPE) /, "").startsWith(name))
    .map((line) => `${line}\n`)
    .join("")

test("the dashboard, the alerts and the handbook name only existing metrics", async () => {
  const { names } = await everyMetric()
  for (const [text, countMin] of [
    [alerts, 8],
    [JSON.stringify(JSON.parse(dashboard).panels), 20],
    [handbook, 15],
  ] as const) {
    const named = namesIn(text).filter((name) => !name.endsWith("_"))
    assert.ok(named.length > countMin)
    assert.deepEqual(
      named.filter((name) => !names.has(name)),
      [],
    )
  }
})

test("every metric of the service is in the handbook", async () => {
  const { names } = await everyMetric()
  const own = [...names].filter((name) => /^(petstore|http)_/.test(name) && !/_(bucket|sum|count|info)$/.test(name))
  assert.ok(own.length > 15)
  assert.deepEqual(
    own.filter((name) => !handbook.includes(`\`${name}\``)),
    [],
  )
})

test("the handbook explains every alert and no other", () => {
  const explained = [...handbook.matchAll(/^\| (Petstore\w+) \| .+ \| .+ \|$/gm)].map(([, alert]) => alert)
  assert.ok(alertNames.length > 5)
  assert.deepEqual(explained, alertNames)
})

test("promtool accepts the alerts and every line of the metrics", { skip }, async () => {
  const rules = promtool(["check", "rules", "deploy/alerts.yaml"])
  assert.equal(rules.status, 0, rules.stdout + rules.stderr)
  const { text } = await everyMetric()
  const metrics = promtool(["check", "metrics"], text)
  assert.equal(metrics.status, 0, metrics.stdout + metrics.stderr)
})

test("promtool parses every expression of the dashboard", { skip }, () => {
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  assert.ok(expressions.length > 20)
  using directory = temporaryDirectory()
  const file = join(directory.path, "rules.json")
  const rules = expressions.map((expression, n) => ({ record: `panel:${n}`, expr: fillIn(expression) }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules }] }))
  const checked = promtool(["check", "rules", file])
  assert.equal(checked.status, 0, checked.stdout + checked.stderr)
})

/** Replaces Grafana's variables. */
const fillIn = (expression: string): string =>
  expression.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*")
