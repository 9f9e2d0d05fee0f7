import { execFile, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDirectory } from "./directory.ts"
import { samplesIn } from "./metrics.ts"

const root = join(import.meta.dirname, "..", "..")

/** The shipped alert rules. */
export const rulesFile = join(root, "deploy", "alerts.yaml")
const rules = readFileSync(rulesFile, "utf8")

/** The names of the shipped alerts, in their order. */
export const alertNames = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name as string)
const metricNames = new Set(rules.match(/\b(?:http_server|petstore|nodejs|process)_[a-z0-9_]+|\bup\b/g))

/** Runs Prometheus' tool in the folder of the project. */
export const promtool = (args: string[], input = "") =>
  spawnSync("promtool", args, { cwd: root, encoding: "utf8", input })

/** The reason why tests that need Prometheus are skipped; false when they are not. */
export const withoutPromtool =
  promtool(["--version"]).error !== undefined &&
  "NOT TESTED, no promtool: install Prometheus (Debian: apt-get install prometheus)"

/** What Prometheus stores of one scrape, of the metrics in the rules. `grows` is true of counters and parts of histograms. */
export type Scrape = ReadonlyMap<string, { name: string; value: number; grows: boolean }>

/** The default of Prometheus. */
const scrapeTimeoutMs = 10_000

/** Scrapes a service as Prometheus does: `up` is 0 when it does not respond in time, and nothing else is known then. */
export async function scrape(url: string): Promise<Scrape> {
  try {
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(scrapeTimeoutMs) })
    if (response.ok) return toScrape(`up 1\n${await response.text()}`)
  } catch {
    // A scrape that failed, like a status of 500.
  }
  return toScrape("up 0")
}

/** The sum of all series of a metric. */
export const measuredIn = (scrape: Scrape, metric: string): number =>
  [...scrape.values()].reduce((sum, { name, value }) => (name === metric ? sum + value : sum), 0)

function toScrape(text: string): Scrape {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]))
  const series = samplesIn(text)
    .filter(({ name }) => metricNames.has(name))
    .map(({ name, labels, value }) => {
      const pairs = Object.entries({ ...labels, instance: "127.0.0.1:9464", job: "petstore" })
      const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, "")) ?? "gauge"
      const key = `${name}{${pairs.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join()}}`
      return [key, { name, value, grows: type !== "gauge" }] as const
    })
  return new Map(series)
}

/** More than the longest `for` and the longest range of the rules together. */
const laterMinutes = 25

/**
 * The alerts that fire at any time of any of these histories, as Prometheus evaluates the shipped rules. A history is the scrapes
 * of a service, oldest first, each a minute after the one before; then all stays as in the last one: gauges keep their values,
 * and counters grow as they did before it.
 */
export async function firing(histories: readonly (readonly Scrape[])[]): Promise<string[]> {
  using directory = temporaryDirectory()
  const file = join(directory.path, "test.json")
  const tests = histories.map((scrapes) => ({
    interval: "1m",
    input_series: seriesOf(scrapes),
    alert_rule_test: alertNames.flatMap((alertname) =>
      Array.from({ length: scrapes.length + laterMinutes }, (_, n) => ({
        eval_time: `${n}m`,
        alertname,
        exp_alerts: [],
      })),
    ),
  }))
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: "1m", tests }))
  const report = await reportOf(file)
  return alertNames.filter((name) => report.includes(`alertname: ${name},`))
}

/** What promtool reports: each alert is a difference to the expected ones, of which there are none. */
const reportOf = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile("promtool", ["test", "rules", file], { maxBuffer: 1e8 }, (error, stdout, stderr) => {
      const report = stdout + stderr
      if (error && !report.includes("alertname: ")) reject(new Error(report, { cause: error }))
      else resolve(report)
    })
  })

const seriesOf = (scrapes: readonly Scrape[]) =>
  [...new Set(scrapes.flatMap((scrape) => [...scrape.keys()]))].map((series) => ({
    series,
    values: valuesOf(scrapes.map((scrape) => scrape.get(series))).join(" "),
  }))

/** In the notation of promtool: `_` is no sample, `stale` what Prometheus stores when a series is no longer there. */
function valuesOf(scraped: readonly (ReturnType<Scrape["get"]> | undefined)[]): (string | number)[] {
  const values = scraped.map((one, n) => one?.value ?? (scraped[n - 1] === undefined ? "_" : "stale"))
  const [last, before] = [scraped.at(-1), scraped.at(-2)]
  if (last === undefined) return values
  // A process that was started again counts from 0.
  const since = before === undefined || before.value > last.value ? 0 : before.value
  const growth = last.grows ? last.value - since : 0
  return [...values, ...Array.from({ length: laterMinutes }, (_, n) => last.value + growth * (n + 1))]
}
