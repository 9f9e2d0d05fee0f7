import type { AddressInfo, Socket } from "node:net"
import type { Tracer } from "../kernel/network/trace.ts"
import type { Exchange } from "./exchange/exchange.ts"
import { createServer } from "./exchange/node-http.ts"
import type { HttpContext } from "./http-context.ts"
import { innerSender } from "./inner-requests.ts"
import { clientAddress } from "./limits/client-address.ts"
import { boundedRequests } from "./limits/connection.ts"
import { Listeners } from "./listeners.ts"
import { createPipeline, type PipelineParts } from "./pipeline/pipeline.ts"
import { takeContinueRequests } from "./reading/expect-continue.ts"
import { watchBodies } from "./reading/slow-bodies.ts"
import { requestSpans } from "./request-spans.ts"
import { respondToBrokenHttp, takeEveryRequest } from "./writing/broken-http.ts"
import { responseWriter } from "./writing/write-response.ts"

/** For a request's head; `slow-bodies.ts` limits the body. */
const headersTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
const timeoutCheckMs = 1_000

/** Looks at a request that has its response. */
export type LogRequest = (exchange: Exchange, durationMs: number) => void

/** The routes, those of other mounts, and who may use them. */
type Routes = Pick<PipelineParts, "router" | "enterMount" | "mount" | "guardAdministration">

type HttpServer = {
  listen(host: string, port: number): Promise<AddressInfo>
  /** Accepts no further connections and resolves once the last one has closed; the signal aborts open ones. */
  close(deadline: AbortSignal): Promise<void>
}

export function openHttpServer(
  http: HttpContext,
  routes: Routes,
  log: LogRequest,
  tracer: Tracer | undefined,
): HttpServer {
  const { connections, unread, requests } = http
  const cut = (socket: Socket) => server.emit("clientError", tooSlow(), socket)
  const parts = pipelineOf(http, routes, log, tracer, cut)
  const server = createServer(options, connections.inOrder(createPipeline(parts)))
  http.sendInner = innerSender(parts)
  connections.guard(server, http.connectionLimits, unread.sweep)
  server.on("clientError", respondToBrokenHttp(http, connections.whenResponded, requests.problem))
  takeEveryRequest(server, http)
  takeContinueRequests(server)

  const listeners = new Listeners(server)

  return {
    listen: (host, port) => listeners.listen(host, port),
    async close(deadline) {
      const closed = listeners.close()
      if (deadline.aborted) server.closeAllConnections()
      deadline.addEventListener("abort", () => server.closeAllConnections())
      await closed
    },
  }
}

/** `cut` ends a connection whose request body arrives too slowly. */
function pipelineOf(
  http: HttpContext,
  routes: Routes,
  log: LogRequest,
  tracer: Tracer | undefined,
  cut: (socket: Socket) => void,
): PipelineParts {
  const { load, requests, traffic, unread, limitAddress } = http
  const spans = tracer && requestSpans(tracer)
  const observers: LogRequest[] = [
    (exchange, durationMs) => requests.record(exchange, exchange.headMs ?? durationMs),
    ({ status }) => traffic.record(status),
    log,
    (exchange, durationMs) => exchange.mount.observer.end?.(exchange, durationMs),
    (exchange) => spans?.end(exchange),
  ]
  return {
    ...routes,
    limitAddress,
    addressOf: clientAddress(http.trustedProxies),
    requireCapacity: load.requireCapacity,
    watchBody: watchBodies(http.pace, ({ request }) => cut(request.socket)),
    respondNotFound: http.respondNotFound,
    respondToError: http.respondToError,
    write: responseWriter(http.writing, unread),
    runInSpan: spans?.runInSpan,
    record(exchange) {
      const durationMs = performance.now() - exchange.startedAt
      for (const observe of observers) observe(exchange, durationMs)
    },
  }
}

const options = {
  requestTimeout: 0,
  headersTimeout: headersTimeoutMs,
  keepAliveTimeout: keepAliveTimeoutMs,
  connectionsCheckingInterval: timeoutCheckMs,
  requireHostHeader: false,
  optimizeEmptyRequests: true,
  ...boundedRequests,
}

const tooSlow = () => Object.assign(new Error("the body arrived too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" })
