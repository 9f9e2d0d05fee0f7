import { asProblem } from "../api/as-problem.ts"
import { addImageRoutes } from "../api/images/images.ts"
import type { StoreApi } from "../api/operations/api.ts"
import { requireDatabase } from "../api/require-database.ts"
import { createStoreApi } from "../api/store-api.ts"
import { api } from "../domain/api.ts"
import { operations } from "../domain/operations.ts"
import { problems } from "../domain/problems/problems.ts"
import type { Measured, Metric } from "../kernel/measure.ts"
import { memoryLimit } from "../observability/memory-limit.ts"
import type { Exchange, Observer } from "../server/exchange/exchange.ts"
import { createRouter, type Router } from "../server/exchange/router.ts"
import { addHealth, readiness } from "../server/health.ts"
import { createHttpContext, type HttpContext } from "../server/http-context.ts"
import { serverMetrics } from "../server/metrics.ts"
import { foreignPageGuard } from "../server/pipeline/foreign-pages.ts"
import { type LogRequest, openHttpServer } from "../server/server.ts"
import { findImageOrigin } from "../storage/image-origin.ts"
import type { MainStore, OpenStore, ServedStore, ServicePart, Shared } from "./part.ts"

type StoreRouter = {
  router: Router
  api: StoreApi
  /** Observes its requests. */
  observer: Observer
}

/** Makes the router of a store, with its operations and its images. */
export function storeRouter(
  { ports, signals, parts }: OpenStore,
  { config, steady, realSteady, overrides, externalIssuer }: Shared,
  http: HttpContext,
): StoreRouter {
  const router = createRouter()
  const storeApi = createStoreApi(
    router,
    {
      ports,
      api,
      operations,
      extensions: parts.flatMap(({ extend }) => extend ?? []),
      signals,
      steady,
      realSteady,
      retention: config.retention,
      streamPace: overrides.streams,
      anonymousKey: config.anonymousKey,
      externalIssuer,
    },
    http,
  )
  addImageRoutes(router, ports.store, ports.blobs)
  const observer = parts.find((part) => part.observe)?.observe?.(storeApi) ?? {}
  return { router, api: storeApi, observer }
}

/** The state of a process, and its metrics besides those of HTTP. */
type ProcessState = Measured & {
  /** Why nothing can be written, as the end of a sentence; undefined when writes succeed. */
  refusesWrites(): string | undefined
  /** The unavailable parts, as words for operators. */
  degraded(): readonly string[]
}

type OpenService = {
  /** Listens; requests wait until `prepare`, which is called with the address, has ended. */
  listen(host: string, port: number, prepare: (listening: unknown) => Promise<void>): Promise<void>
  router: Router
  metrics: readonly Metric[]
  /** Lets requests finish, or aborts them on the signal; then stores buffered data. */
  close(deadline: AbortSignal): Promise<void>
}

/** What the parts add to the service, in their order; `opened` disposes of it. */
export async function serveParts(opened: AsyncDisposableStack, main: MainStore): Promise<ServicePart[]> {
  const served: ServicePart[] = []
  for (const part of main.shared.parts) {
    const one = await part.serve?.(main)
    if (!one) continue
    opened.defer(async () => one[Symbol.asyncDispose]?.())
    served.push(one)
  }
  return served
}

/** Serves a store over HTTP: health, the operations that are on its router already, and what parts add. */
export async function openService(
  { shared, opened, http }: MainStore,
  parts: readonly ServicePart[],
  log: LogRequest,
  { refusesWrites, degraded, ...measured }: ProcessState,
): Promise<OpenService> {
  const { router, api, observer } = storeRouter(opened, shared, http)
  const { load, requests, unread, lookups, isDraining } = http
  const { requireCapacity, underWay } = load
  let preparing: Promise<void> | undefined
  const enter = parts.find((part) => part.enter)?.enter ?? (() => undefined)
  const enterMount = (exchange: Exchange) =>
    preparing?.then(() => enter(exchange, router.isPage) ?? router) ?? enter(exchange, router.isPage)
  const mount = { prefix: "", logged: "", observer }
  const guardAdministration = administrationGuard(shared, http)
  const server = openHttpServer(http, { router, mount, enterMount, guardAdministration }, log, shared.tracer)
  const { ports, streams } = api
  const requireReady = readiness({
    requireDatabase: () => requireDatabase(ports.store),
    requireCapacity,
    isDraining,
    refusesWrites,
    degraded,
  })
  addHealth(router, requireReady)
  const own = serverMetrics({ underWay, uploads: api.uploadsUnderWay, streams: streams.count, lookups })
  const metrics = [...measured.metrics, ...requests.metrics, ...unread.metrics, ...own]
  const imageOrigin = await findImageOrigin(ports.blobs)
  const ofProcess = { requireReady, traffic: http.traffic.recent, metrics, imageOrigin }
  const served: ServedStore = { shared, opened, http, api, name: undefined, ...ofProcess }
  for (const part of opened.parts) {
    await part.addRoutes?.(router, served)
    part.pages?.add(router, served)
  }

  return {
    router,
    metrics,
    async listen(host, port, prepare) {
      preparing = server.listen(host, port).then(prepare)
      await preparing
      preparing = undefined
    },
    async close(deadline) {
      http.drain()
      const ended = Promise.all([api, ...parts].map((part) => part.drain?.()))
      await server.close(deadline)
      await ended
      for (const part of parts) await part.close?.()
      await api.flush()
    },
  }
}

/** Where API keys are public, pages of other sites may not administer the service. */
const administrationGuard = ({ samples, config: { hosts, anonymousKey } }: Shared, { publicUrl }: HttpContext) =>
  samples.knownKeys.length > 0 ? foreignPageGuard(publicUrl, hosts, anonymousKey === undefined) : () => undefined

/** What the main store and others of the process share of HTTP. */
export function httpContextOf({ ports, counters }: OpenStore, { config, overrides, parts }: Shared): HttpContext {
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
    notFoundPage: parts.find((part) => part.notFoundPage)?.notFoundPage,
    problemPage: parts.find((part) => part.problemPage)?.problemPage,
    docsPath: parts.find((part) => part.docsPath)?.docsPath,
  })
}
