import type { Registry } from "prom-client"
import type { Clock } from "../kernel/clock.ts"
import type { Metric } from "../kernel/measure.ts"

/** Returns all metrics in Prometheus's text format, and its media type. */
type MetricsReader = () => Promise<{ type: string; text: string }>

/** The metrics are read once a second at most, however many clients scrape them. */
const keptMs = 1_000

/** Reads metrics on request. The first request makes the registry of prom-client, which measures the process from then on; until then only plain numbers are kept. */
export function metricsReader(metrics: readonly Metric[], version: string, steady: Clock): MetricsReader {
  let loading: Promise<Registry> | undefined
  let latest: ReturnType<MetricsReader> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<Registry> {
    const { createRegistry } = await import("./registry.ts")
    return createRegistry(metrics, version)
  }

  async function read() {
    loading ??= load()
    const registry = await loading
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
