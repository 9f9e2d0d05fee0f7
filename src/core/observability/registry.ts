// Decision: docs/decisions/observability.md#metrics-are-plain-numbers-prom-client-formats-them

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import type { Distribution, Metric } from "../kernel/measure.ts"

/** Creates a registry of these metrics, of the process and of its version. */
export function createRegistry(metrics: readonly Metric[], version: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of walking) registry.removeSingleMetric(name)
  for (const metric of [...metrics, buildInfo(version)])
    if (metric.type === "histogram") registry.registerMetric(new MeasuredHistogram(metric))
    else addMetric(metric, registry)
  return registry
}

/** Default metrics that list every handle and request on each read, and are named against the conventions. */
const walking = ["handles", "requests", "resources"].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

const buildInfo = (version: string): Metric => ({
  name: "petstore_build_info",
  help: "The running version",
  type: "gauge",
  labels: ["version"],
  read: () => [{ labels: { version }, value: 1 }],
})

type Of<T extends Metric["type"]> = Extract<Metric, { type: T }>

function addMetric({ name, help, type, labels: labelNames, read }: Of<"counter" | "gauge">, registry: Registry): void {
  const settings = { name, help, labelNames: [...labelNames], registers: [registry] }
  const metric = type === "gauge" ? new Gauge({ ...settings, collect }) : new Counter({ ...settings, collect })

  async function collect() {
    metric.reset()
    for (const { labels, value } of await read()) metric.inc(labels, value)
  }
}

/** Reports what is counted elsewhere; prom-client would count each request in objects of its own. */
class MeasuredHistogram extends Histogram {
  readonly #metric: Of<"histogram">

  constructor(metric: Of<"histogram">) {
    super({ name: metric.name, help: metric.help, labelNames: [...metric.labels], registers: [] })
    this.#metric = metric
  }

  /** Called by the registry for its text. */
  async getForPromString() {
    const { name, help, read } = this.#metric
    const values = read().flatMap(({ labels, distribution }) => linesOf(name, labels, distribution))
    return { name, help, type: "histogram", values }
  }
}

function linesOf(name: string, labels: Record<string, string>, { bounds, counts, sum }: Distribution) {
  let below = 0
  const buckets = [...bounds, "+Inf"].map((le, at) => {
    below += counts[at] as number
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: below }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: below },
  ]
}
