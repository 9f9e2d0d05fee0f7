import type { Clock } from "../kernel/clock.ts"
import { once } from "../kernel/flow/once.ts"
import type { Metric } from "../kernel/measure.ts"

/** Returns all metrics in Prometheus's text format, and its media type. */
type MetricsReader = () => Promise<{ type: string; text: string }>

/** The metrics are read once a second at most, however many clients scrape them. */
const keptMs = 1_000

/** Reads metrics on request. The first request makes the registry of prom-client, which measures the process from then on; until then only plain numbers are kept. */
export function metricsReader(metrics: readonly Metric[], version: string, steady: Clock): MetricsReader {
  let latest: ReturnType<MetricsReader> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const load = once(async () => {
    const { createRegistry } = await import("./registry.ts")
    return createRegistry(metrics, version)
  })

  async function read() {
    const registry = await load()
    return { type: registry.contentType, text: await registry.metrics() }
  }

  return () => {
    const now = steady.now()
    if (latest && now - readAt < keptMs) return latest
    readAt = now
    latest = read()
    return latest
  }
}
