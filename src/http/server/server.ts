import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { Metric } from "../../kernel/measure.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Tracer } from "../../kernel/network/trace.ts"
import type { Streams } from "../event-stream/streams.ts"
import { type Offered, offerStore, type Shared } from "../operations/offer-store.ts"
import type { Operating } from "../operations/operating.ts"
import { type Operate, pageOperations } from "../operations/page-operations.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { foreignPageGuard } from "../pipeline/foreign-pages.ts"
import { notFound } from "../pipeline/not-found.ts"
import { respondToOtherMethod } from "../pipeline/other-methods.ts"
import { createPipeline } from "../pipeline/pipeline.ts"
import { createRouter, type Router } from "../pipeline/router.ts"
import { clientAddress } from "../rate-limiting/client-address.ts"
import { boundedRequests } from "../rate-limiting/connection.ts"
import { type ConnectionLimits, connections } from "../rate-limiting/connection-limit.ts"
import type { IpRateLimit } from "../rate-limiting/ip-rate-limit.ts"
import { type Load, loadShedding } from "../rate-limiting/load-shedding.ts"
import type { UnreadBudgets } from "../rate-limiting/unread-budgets.ts"
import { unreadResponses } from "../rate-limiting/unread-responses.ts"
import { takeContinueRequests } from "../reading/expect-continue.ts"
import { type BodyPace, bodyPace, watchBodies } from "../reading/slow-bodies.ts"
import { requireCreator } from "../sandbox/creator.ts"
import { type NamedSandbox, namedSandboxes, noNamedSandboxes, type SandboxBounds } from "../sandbox/named.ts"
import { respondToBrokenHttp, takeEveryRequest } from "../writing/broken-http.ts"
import type { AddressDetail } from "../writing/logged-address.ts"
import { errorResponder, problemReader } from "../writing/problem-response.ts"
import { type LogDestination, requestLog } from "../writing/request-log.ts"
import { headWriter, responseWriter } from "../writing/write-response.ts"
import { addHealth, readiness } from "./health.ts"
import { requestMetrics, serverMetrics } from "./metrics.ts"
import { createServer } from "./node-http.ts"
import { requestSpans } from "./request-spans.ts"
import { trafficCounter } from "./traffic.ts"

/** Of a request's head; `slow-bodies.ts` sees to its body. */
const headersTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
/** How often connections are looked at for requests that take too long. */
const timeoutCheckMs = 1_000

export type Served = Offered & {
  /** What the service goes on without, as words for operators. */
  degraded(): readonly string[]
  limitAddress: IpRateLimit
  /** Address blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  connectionLimits: ConnectionLimits
  /** Address blocks that are exempt from the limits of addresses. */
  unlimitedAddresses: readonly string[]
  unreadBudgets: UnreadBudgets
  load: Load
  /** What differs from how fast bodies must come in. */
  pace?: Partial<BodyPace>
  /** Where the lines of requests go, if anywhere, and how they name clients. */
  requestLines: LogDestination | undefined
  logging: { address: AddressDetail }
  /** Where requests are traced. */
  tracer: Tracer | undefined
  /** Why nothing can be written for now; `/readyz` tells it. */
  refusesWrites(): string | undefined
  /** While the service drains, every response ends its connection. */
  state: { draining: boolean }
  /** The page for a path that leads nowhere. */
  notFoundPage(path: string): HttpResponse
  /** Makes named sandboxes; or says why there are none, as the end of a sentence. */
  sandboxes: SandboxMaker | string
  /** What differs from how many of them there may be, and for how long. */
  sandboxBounds: Partial<SandboxBounds> | undefined
}

export type SandboxMaker = {
  /** Makes a sandbox of its own name, which shares what all stores of the process do. */
  open(name: string, shared: Shared): Promise<NamedSandbox>
  /** Whether a sandbox has this API key when it is made. */
  isFirstKey(secret: string): boolean
}

type HttpServer = {
  server: Server
  router: Router
  respondNotFound(exchange: Exchange): HttpResponse
  streams: Streams
  /** Runs operations for pages. */
  operate: Operate
  metrics: readonly Metric[]
  /** Resets a sandbox while no operation runs; undefined in production. */
  resetAlone: Offered["reset"]
  /** With what else operations are run than by requests for them. */
  operating: Operating
  listen(host: string, port: number): Promise<void>
  close(): Promise<void>
}

/** The HTTP server that interprets the contract: every endpoint becomes a route, every rule of it is held here. */
export function createHttpServer(served: Served): HttpServer {
  const { ports, limitAddress, state, steady } = served
  const { publicUrl, store, clock } = ports
  const router = createRouter()
  const load = loadShedding(served.load)
  const requests = requestMetrics()
  const traffic = trafficCounter(clock)
  const toProblem = problemReader(ports.log)
  const spans = served.tracer && requestSpans(served.tracer)
  const lookups = { hits: 0, misses: 0 }
  const log = requestLog(served.requestLines, served.logging.address)
  const { inTurn, whenResponded, guard, expectStream } = connections()
  const unread = unreadResponses(served.unreadBudgets, served.connectionLimits.now ?? (() => performance.now()))
  const respondNotFound = notFound(served.notFoundPage)
  const writing = { isSecure: () => publicUrl().startsWith("https:"), isDraining: () => state.draining }
  const respondToError = errorResponder(publicUrl, toProblem)
  const shared: Shared = {
    ...{ publicUrl, load, limitAddress, countQuota: requests.quota, lookups, unread, respondToError },
    expectStream(exchange) {
      expectStream(exchange.response)
      unread.follow(exchange)
    },
    writeHead: headWriter(writing),
  }
  const { requireCapacity } = load
  const making = served.sandboxes
  const sandboxes =
    typeof making === "string"
      ? noNamedSandboxes(making)
      : namedSandboxes({
          ...{ requireCapacity, steady, bounds: served.sandboxBounds, exempt: served.unlimitedAddresses },
          open: (name) => making.open(name, shared),
          requireCreator: (exchange) => requireCreator(exchange, { ...making, limitAddress, publicUrl }),
          report: (error) => ports.log.error({ err: error }, "a sandbox did not close"),
        })
  const pipeline = createPipeline({
    router,
    enterSandbox: sandboxes.enter,
    addressOf: clientAddress(served.trustedProxies),
    requireCapacity,
    limitAddress,
    guardAdministration: served.hasKnownKeys ? foreignPageGuard(publicUrl) : () => undefined,
    watchBody: watchBodies({ ...bodyPace, ...served.pace }, ({ request }) => cut(request.socket)),
    respondNotFound,
    respondToOtherMethod,
    respondToError,
    write: responseWriter(writing, unread),
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
  guard(server, served.connectionLimits, unread.sweep)
  server.on("clientError", respondToBrokenHttp(publicUrl, whenResponded, requests.problem))
  takeEveryRequest(server, publicUrl)
  takeContinueRequests(server)
  const cut = (socket: Socket) =>
    server.emit(
      "clientError",
      Object.assign(new Error("the body came in too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    )

  const { refusesWrites, degraded } = served
  const requireReady = readiness({ store, requireCapacity, state, refusesWrites, degraded })
  addHealth(router, requireReady)
  const { operating, uploadsUnderWay, resetAlone, end, save } = offerStore(router, served, shared)
  const { streams, readmit, admitKnown } = operating

  return {
    server,
    router,
    respondNotFound,
    operating: { ...operating, toProblem, traffic: traffic.recent, requireReady },
    streams,
    resetAlone,
    operate: pageOperations({ ...served, load, readmit, admitKnown }),
    metrics: [
      ...requests.metrics,
      ...unread.metrics,
      ...serverMetrics({ underWay: load.underWay, uploads: uploadsUnderWay, streams: streams.count, lookups }),
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
      const ended = Promise.all([end(), sandboxes.end()])
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
      await ended
      await sandboxes.close()
      await save()
    },
  }
}
