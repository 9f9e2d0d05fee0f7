import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { Logger } from "pino"
import type { Operation } from "../domain/context.ts"
import type { Retention } from "../domain/policy.ts"
import type { Database, Invalidation, Ports } from "../domain/ports.ts"
import type { Seed } from "../domain/sandbox/contract.ts"
import type { Clock } from "../kernel/clock.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import type { HttpResponse } from "../kernel/http-response.ts"
import type { Metric } from "../kernel/measure.ts"
import type { Tracer } from "../kernel/trace.ts"
import { admission } from "./admission.ts"
import { authenticator } from "./authentication/authenticate.ts"
import type { ExternalIssuer } from "./authentication/external-issuer.ts"
import { keyUses } from "./authentication/key-usage.ts"
import { eventFeed } from "./event-stream/feed.ts"
import { eventStreams, type StreamPace, type Streams } from "./event-stream/streams.ts"
import type { Exchange } from "./exchange.ts"
import { respondToBrokenHttp, takeEveryRequest } from "./messages/broken-http.ts"
import { idempotency } from "./messages/idempotency.ts"
import type { AddressDetail } from "./messages/logged-address.ts"
import { errorResponder, problemReader } from "./messages/problem-response.ts"
import { type LogDestination, requestLog } from "./messages/request-log.ts"
import { type BodyPace, bodyPace, watchBodies } from "./messages/slow-bodies.ts"
import { uploads } from "./messages/upload.ts"
import { headWriter, responseWriter } from "./messages/write-response.ts"
import { requestMetrics, serverMetrics } from "./metrics.ts"
import { createServer } from "./node-http.ts"
import type { Operating } from "./operating.ts"
import { addOperations } from "./operation-routes.ts"
import { type Operate, pageOperations } from "./page-operations.ts"
import { createPipeline } from "./pipeline.ts"
import { accountQuota } from "./rate-limiting/account-quota.ts"
import { clientAddress } from "./rate-limiting/client-address.ts"
import { boundedRequests, type ConnectionLimits, connections } from "./rate-limiting/connection-limit.ts"
import type { IpRateLimit } from "./rate-limiting/ip-rate-limit.ts"
import { type Load, loadShedding } from "./rate-limiting/load-shedding.ts"
import { requestSpans } from "./request-spans.ts"
import { createRouter, type Router } from "./router.ts"
import { foreignPageGuard } from "./routes/foreign-pages.ts"
import { addHealth, readiness } from "./routes/health.ts"
import { notFound } from "./routes/not-found.ts"
import { respondToOtherMethod } from "./routes/other-methods.ts"
import { trafficCounter } from "./traffic.ts"

/** Of a request's head; `slow-bodies.ts` sees to its body. */
const headersTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
/** How often connections are looked at for requests that take too long. */
const timeoutCheckMs = 1_000

export type Served = {
  ports: Ports & { log: Logger; store: Database }
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  signals: Invalidation
  /** A clock that never jumps. */
  steady: Clock
  /** What the service goes on without, as words for operators. */
  degraded(): readonly string[]
  limitAddress: IpRateLimit
  /** Address blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  connectionLimits: ConnectionLimits
  load: Load
  retention: Retention
  /** What differs from how fast bodies must come in. */
  pace?: Partial<BodyPace>
  /** What differs from how often event streams are looked after. */
  streamPace?: Partial<StreamPace> | undefined
  /** Whether there are credentials that everybody knows, as in the sandbox. */
  hasKnownKeys: boolean
  /** Lets a sandbox begin anew, while nobody else is at work. */
  reset: ((seed: Seed) => Promise<void>) | undefined
  /** Where the lines of requests go, if anywhere, and how they name clients. */
  requestLines: LogDestination | undefined
  logging: { address: AddressDetail }
  /** Whether the paths of the classic v2 are there, too. */
  hasV2: boolean
  /** Where requests are traced. */
  tracer: Tracer | undefined
  /** Why nothing can be written for now; `/readyz` tells it. */
  refusesWrites(): string | undefined
  /** While the service drains, every response ends its connection. */
  state: { draining: boolean }
  /** Whose tokens are accepted besides our own. */
  externalIssuer: ExternalIssuer | undefined
  /** The page for a path that leads nowhere. */
  notFoundPage(path: string): HttpResponse
}

type HttpServer = {
  server: Server
  router: Router
  respondNotFound(exchange: Exchange): HttpResponse
  streams: Streams
  /** Runs operations for pages. */
  operate: Operate
  metrics: readonly Metric[]
  /** With what else operations are run than by requests for them. */
  operating: Operating
  listen(host: string, port: number): Promise<void>
  close(): Promise<void>
}

/** The HTTP server that interprets the contract: every endpoint becomes a route, every rule of it is held here. */
export function createHttpServer(served: Served): HttpServer {
  const { ports, limitAddress, state, signals, steady } = served
  const { publicUrl, store, clock } = ports
  const router = createRouter()
  const load = loadShedding(served.load)
  const requests = requestMetrics()
  const traffic = trafficCounter(clock)
  const toProblem = problemReader(ports.log)
  const spans = served.tracer && requestSpans(served.tracer)
  const lookups = { hits: 0, misses: 0 }
  const taken = uploads(ports.blobs, clock)
  const log = requestLog(served.requestLines, served.logging.address)
  const uses = keyUses(store, clock, (error) => ports.log.error({ err: error }, "uses not stored"))
  const { inTurn, whenResponded, guard, expectStream } = connections()
  const respondNotFound = notFound(served.notFoundPage)
  const writing = { isSecure: () => publicUrl().startsWith("https:"), isDraining: () => state.draining }
  const feed = eventFeed({ store, clock, log: ports.log })
  const streams = eventStreams({
    ...{ feed, clock, steady, signals, expectStream, pace: served.streamPace },
    writeHead: headWriter(writing),
  })
  const respondToError = errorResponder(publicUrl, toProblem)
  const pipeline = createPipeline({
    router,
    addressOf: clientAddress(served.trustedProxies),
    requireCapacity: load.requireCapacity,
    limitAddress,
    guardAdministration: served.hasKnownKeys ? foreignPageGuard(publicUrl) : () => undefined,
    watchBody: watchBodies({ ...bodyPace, ...served.pace }, ({ request }) => cut(request.socket)),
    respondNotFound,
    respondToOtherMethod,
    respondToError,
    write: responseWriter(writing),
    begin: spans?.begin,
    record(exchange) {
      const durationMs = performance.now() - exchange.startedAt
      requests.record(exchange, exchange.headMs ?? durationMs)
      traffic.record(exchange.status)
      log(exchange, durationMs)
      spans?.end(exchange)
    },
  })
  const server = createServer(
    {
      requestTimeout: 0,
      headersTimeout: headersTimeoutMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      ...boundedRequests,
    },
    inTurn(pipeline),
  )
  guard(server, served.connectionLimits)
  server.on("clientError", respondToBrokenHttp(publicUrl, whenResponded, requests.problem))
  takeEveryRequest(server, publicUrl)
  const cut = (socket: Socket) =>
    server.emit(
      "clientError",
      Object.assign(new Error("the body came in too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    )

  const { refusesWrites, degraded } = served
  const requireReady = readiness({ store, requireCapacity: load.requireCapacity, state, refusesWrites, degraded })
  addHealth(router, requireReady)
  const { externalIssuer } = served
  const authenticate = authenticator({ ...{ store, clock, steady, signals, uses, lookups }, externalIssuer })
  const limitAccount = accountQuota(ports, requests.quota)
  const { admit, admitKnown, readmit } = admission({ authenticate, limitAddress, limitAccount, publicUrl })
  const parts = {
    ports,
    store,
    signals,
    load,
    admit,
    readmit,
    streams,
    once: idempotency(store, clock, served.retention.responses),
    receive: taken.receive,
  }
  const { endFaults } = addOperations(router, served, { ...parts, respondToError, forgetUses: uses.forget })

  return {
    server,
    router,
    respondNotFound,
    operating: { ...parts, authenticate, admitKnown, expectStream, toProblem, traffic: traffic.recent, requireReady },
    streams,
    operate: pageOperations({ ...served, load, readmit }),
    metrics: [
      ...requests.metrics,
      ...serverMetrics({ underWay: load.underWay, uploads: taken.underWay, streams: streams.count, lookups }),
    ],
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject)
        server.listen({ host, port }, () => {
          server.off("error", reject)
          resolve()
        })
      }),
    async close() {
      const ended = streams.close()
      endFaults()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
      await ended
      await uses.save()
    },
  }
}
