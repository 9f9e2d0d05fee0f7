import type { serveStore } from "./api/operations/serve-store.ts"
import type { NamedSandboxes } from "./api/sandbox/named.ts"
import { recordRequest } from "./api/sandbox/record-request.ts"
import type { Metric } from "./kernel/measure.ts"
import { addHealth, readiness } from "./server/health.ts"
import { serverMetrics } from "./server/metrics.ts"
import type { Exchange } from "./server/pipeline/exchange.ts"
import type { Router } from "./server/pipeline/router.ts"
import { createHttpServer, type ServerDeps } from "./server/server.ts"
import type { Serving } from "./server/serving.ts"
import { addSite, type SiteDeps } from "./site/serving/mounts.ts"

type ServiceDeps = Pick<
  ServerDeps,
  "hasKnownKeys" | "needsCredential" | "journal" | "requestLines" | "logging" | "tracer"
> & {
  serving: Serving
  store: { router: Router } & ReturnType<typeof serveStore>
  sandboxes: NamedSandboxes
  /** Why nothing can be written, as the end of a sentence; undefined when writes succeed. */
  refusesWrites(): string | undefined
  /** The unavailable parts, as words for operators. */
  degraded(): readonly string[]
  site: Omit<SiteDeps, "serving" | "operating" | "sandboxes" | "about"> & { about: Omit<SiteDeps["about"], "metrics"> }
  /** Metrics of other parts of the service. */
  metrics: readonly Metric[]
}

/** Serves a store over HTTP: health, the operations that are on its router already, and all pages. */
export async function openService(deps: ServiceDeps) {
  const { serving, store, sandboxes, refusesWrites, degraded, site } = deps
  const { router } = store
  const { load, requests, unread, lookups, toProblem, traffic, isDraining } = serving
  const { requireCapacity, underWay } = load
  const enterSandbox = (exchange: Exchange) => sandboxes.enter(exchange)
  const server = createHttpServer({ ...deps, router, enterSandbox, observers: [recordRequest] })
  const { ports, streams } = store.operating
  const requireReady = readiness({ store: ports.store, requireCapacity, isDraining, refusesWrites, degraded })
  addHealth(router, requireReady)
  const operating = { ...store.operating, toProblem, traffic: traffic.recent, requireReady }
  const own = serverMetrics({ underWay, uploads: store.uploadsUnderWay, streams: streams.count, lookups })
  const metrics = [...deps.metrics, ...requests.metrics, ...unread.metrics, ...own]
  await addSite(router, { ...site, serving, operating, sandboxes, about: { ...site.about, metrics } })

  return {
    ...{ router, metrics, listen: server.listen },
    /** Lets requests finish, or aborts them on the signal; then stores buffered data. */
    async close(impatience: AbortSignal): Promise<void> {
      serving.drain()
      const ended = Promise.all([store.end(), sandboxes.end()])
      await server.close(impatience)
      await ended
      await sandboxes.close()
      await store.save()
    },
  }
}
