import { Counts, counter, Durations, gauge, type Metric } from "../kernel/measure.ts"
import type { Exchange, Resource } from "./exchange/exchange.ts"

type Series = { method: string; path: string; operation: string; byStatus: Map<number, Durations> }

export type RequestMetrics = {
  /** Counts a request that has its response, and its problem. */
  record(exchange: Exchange, durationMs: number): void
  /** Counts a refusal of a message that never became a request. */
  problem(code: string): void
  quota(plan: string, isAdmitted: boolean): void
  metrics: readonly Metric[]
}

/** Measures requests. Callers can choose neither labels nor their number: paths and methods are those of routes. */
export function createRequestMetrics(problemCodes: readonly string[]): RequestMetrics {
  // By paths, which all stores share: each has resources of its own, and may end.
  const byPath = new Map<string, Map<string, Series>>()
  // Start at 0: Prometheus ignores the first sample of a new series, and an alert would miss the first bug.
  const refusals = new Counts([...problemCodes])
  const admitted = new Counts()
  const refused = new Counts()

  function seriesOf({ resource, method }: Exchange): Series {
    const path = resource?.path ?? ""
    const known = byPath.get(path)?.get(method)
    if (known) return known
    const label = nameOf(method, resource)
    const methods = byPath.get(path) ?? new Map<string, Series>()
    const series = methods.get(label) ?? createSeries(label, resource)
    methods.set(label, series)
    byPath.set(path, methods)
    return series
  }

  const metrics: readonly Metric[] = [
    {
      name: "http_server_request_duration_seconds",
      help: "Time from the head of a request to its response, by operation and status",
      type: "histogram",
      labels: ["http_request_method", "http_route", "operation", "http_response_status_code"],
      read: () => [...byPath.values()].flatMap((methods) => [...methods.values()].flatMap(samplesOf)),
    },
    counter("petstore_problems_total", "Requests refused, by the code of the problem", "code", refusals),
    {
      name: "petstore_plan_requests_total",
      help: "Requests counted against a plan's limits, by whether they were admitted",
      type: "counter",
      labels: ["plan", "outcome"],
      read: () => [...samplesByPlan("admitted", admitted), ...samplesByPlan("refused", refused)],
    },
  ]

  return {
    record(exchange, durationMs) {
      const { byStatus } = seriesOf(exchange)
      let durations = byStatus.get(exchange.status)
      if (durations === undefined) {
        durations = new Durations()
        byStatus.set(exchange.status, durations)
      }
      durations.add(durationMs / 1000)
      if (exchange.problem !== undefined) refusals.add(exchange.problem)
    },
    problem: (code) => refusals.add(code),
    quota: (plan, isAdmitted) => (isAdmitted ? admitted : refused).add(plan),
    metrics,
  }
}

export type Lookups = { hits: number; misses: number }
type State = { underWay(): number; uploads(): number; streams(): number; lookups: Lookups }

export const serverMetrics = ({ underWay, uploads, streams, lookups }: State): readonly Metric[] => [
  gauge("http_server_active_requests", "Running operations", underWay),
  gauge("petstore_uploads_active", "Files being received", uploads),
  gauge("petstore_event_streams_active", "Open event streams", streams),
  {
    name: "petstore_cache_lookups_total",
    help: "Lookups in caches of this process",
    type: "counter",
    labels: ["cache", "result"],
    read: () => [
      { labels: { cache: "principals", result: "hit" }, value: lookups.hits },
      { labels: { cache: "principals", result: "miss" }, value: lookups.misses },
    ],
  },
]

/** The method when the path has it, as OpenTelemetry specifies, otherwise `_OTHER`: clients may invent methods. */
const nameOf = (method: string, resource: Resource | undefined): string =>
  method === "OPTIONS" || resource?.routes.has(method) ? method : "_OTHER"

const createSeries = (method: string, resource: Resource | undefined): Series => ({
  method,
  path: resource?.path ?? "",
  operation: resource?.routes.get(method)?.operation ?? "",
  byStatus: new Map(),
})

const samplesOf = ({ method, path, operation, byStatus }: Series) =>
  [...byStatus].map(([status, distribution]) => ({
    labels: {
      http_request_method: method,
      http_route: path,
      operation,
      http_response_status_code: String(status),
    },
    distribution,
  }))

const samplesByPlan = (outcome: string, counts: Counts) =>
  [...counts.all].map(([plan, value]) => ({ labels: { plan, outcome }, value }))
