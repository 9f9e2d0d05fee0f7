import { asProblem } from "./api/as-problem.ts"
import type { ExternalIssuer } from "./api/authentication/external-issuer.ts"
import { addImageRoutes } from "./api/images/images.ts"
import type { StoreApi } from "./api/operations/api.ts"
import { requireDatabase } from "./api/require-database.ts"
import type { NamedSandboxes } from "./api/sandbox/named.ts"
import { createStoreApi } from "./api/store-api.ts"
import { api } from "./domain/api.ts"
import { operations, operationsOfV2 } from "./domain/operations.ts"
import { problems } from "./domain/problems/problems.ts"
import type { SandboxHouse } from "./domain/sandbox/model.ts"
import type { Metric } from "./kernel/measure.ts"
import { memoryLimit } from "./observability/memory-limit.ts"
import { version } from "./program.ts"
import type { Exchange } from "./server/exchange/exchange.ts"
import { createRouter, type Router } from "./server/exchange/router.ts"
import { addHealth, readiness } from "./server/health.ts"
import { createHttpContext, type HttpContext, type HttpOverrides } from "./server/http-context.ts"
import { serverMetrics } from "./server/metrics.ts"
import { type HttpServer, openHttpServer, type ServerDeps } from "./server/server.ts"
import type { Shared } from "./shared.ts"
import { addSite, type SiteDeps } from "./site/mounts.ts"
import { notFoundPage } from "./site/pages/problem-pages.ts"
import { readLastBackup } from "./storage/disk/last-backup.ts"
import { findImageOrigin } from "./storage/image-origin.ts"
import type { OpenStore } from "./store.ts"

/** A store over HTTP: its operations and its images, on a router of their own. */
type StoreRouter = { router: Router; api: StoreApi }

export function storeRouter(
  opened: OpenStore,
  shared: Shared,
  http: HttpContext,
  { house, externalIssuer }: { house: SandboxHouse | undefined; externalIssuer?: ExternalIssuer | undefined },
): StoreRouter {
  const { ports, signals, sandbox } = opened
  const { config, steady, realSteady, overrides } = shared
  const router = createRouter()
  const storeApi = createStoreApi(
    router,
    {
      ports,
      api,
      operations,
      v2: config.hasV2 ? operationsOfV2 : undefined,
      sandbox: sandbox && { ...sandbox, house },
      signals,
      steady,
      realSteady,
      retention: config.retention,
      version,
      streamPace: overrides.streams,
      anonymousKey: config.anonymousKey,
      externalIssuer,
    },
    http,
  )
  addImageRoutes(router, ports.store, ports.blobs)
  return { router, api: storeApi }
}

type ServiceDeps = Pick<ServerDeps, "hasKnownKeys" | "needsCredential" | "mount" | "log" | "tracer"> & {
  http: HttpContext
  store: StoreRouter
  sandboxes: NamedSandboxes
  /** Why nothing can be written, as the end of a sentence; undefined when writes succeed. */
  refusesWrites(): string | undefined
  /** The unavailable parts, as words for operators. */
  degraded(): readonly string[]
  site: Omit<SiteDeps, "http" | "api" | "sandboxes" | "about"> & { about: Omit<SiteDeps["about"], "metrics"> }
  /** Metrics of other parts of the service. */
  metrics: readonly Metric[]
}

type OpenService = Pick<HttpServer, "listen"> & {
  router: Router
  metrics: readonly Metric[]
  /** Lets requests finish, or aborts them on the signal; then stores buffered data. */
  close(deadline: AbortSignal): Promise<void>
}

/** Serves a store over HTTP: health, the operations that are on its router already, and all pages. */
export async function openService(deps: ServiceDeps): Promise<OpenService> {
  const { http, store, sandboxes, refusesWrites, degraded, site } = deps
  const { router, api } = store
  const { load, requests, unread, lookups, toProblem, traffic, isDraining } = http
  const { requireCapacity, underWay } = load
  const enterMount = (exchange: Exchange) => sandboxes.enter(exchange)
  const server = openHttpServer({ ...deps, router, enterMount })
  const { ports, streams } = api
  const requireReady = readiness({
    requireDatabase: () => requireDatabase(ports.store),
    requireCapacity,
    isDraining,
    refusesWrites,
    degraded,
  })
  addHealth(router, requireReady)
  const pageApi = { ...api, toProblem, traffic: traffic.recent, requireReady }
  const own = serverMetrics({ underWay, uploads: api.uploadsUnderWay, streams: streams.count, lookups })
  const metrics = [...deps.metrics, ...requests.metrics, ...unread.metrics, ...own]
  await addSite(router, { ...site, http, api: pageApi, sandboxes, about: { ...site.about, metrics } })

  return {
    router,
    metrics,
    listen: server.listen,
    async close(deadline) {
      http.drain()
      const ended = Promise.all([api.drain(), sandboxes.drain()])
      await server.close(deadline)
      await ended
      await sandboxes.close()
      await api.flush()
    },
  }
}

/** What the main store and the named sandboxes share of HTTP. */
export function httpContextOf(
  { ports, counters }: OpenStore,
  { config }: Shared,
  overrides: HttpOverrides,
): HttpContext {
  return createHttpContext({
    clock: ports.clock,
    log: ports.log,
    publicUrl: ports.publicUrl,
    attempts: counters.attempts("addresses"),
    connectionsPerAddress: config.connectionsPerAddress,
    trustedProxies: config.trustedProxies,
    unlimitedAddresses: config.unlimitedAddresses,
    memoryBytes: memoryLimit(),
    hasV2: config.hasV2,
    problems,
    asProblem,
    overrides,
    notFoundPage,
  })
}

/** What the pages show besides the operations. */
export async function siteParts(
  { ports, sealing, signals }: OpenStore,
  { config, profile }: Shared,
  descriptions: SiteDeps["descriptions"],
  externalIssuer: ExternalIssuer | undefined,
): Promise<ServiceDeps["site"]> {
  return {
    contract: api,
    descriptions,
    samples: profile,
    sealing,
    signals,
    externalIssuer,
    securityContact: config.securityContact,
    about: {
      version,
      sandbox: undefined,
      hasPublicStore: config.hasPublicStore,
      imageOrigin: await findImageOrigin(ports.blobs),
      runsOn: { "Node.js": process.version.slice(1), Database: ports.store.product },
      lastBackup: () => readLastBackup(config.dataDir),
    },
  }
}
