import type { Server } from "node:http"
import type { Socket } from "node:net"
import type { Logger } from "pino"
import type { Operation } from "../domain/context.ts"
import type { Retention } from "../domain/policy.ts"
import type { Invalidation, Ports } from "../domain/ports.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import type { HttpResponse } from "../kernel/http-response.ts"
import { basePath, routePath } from "../kernel/path.ts"
import { admission } from "./admission.ts"
import { authenticator } from "./authentication/authenticate.ts"
import type { ExternalIssuer } from "./authentication/external-issuer.ts"
import { keyUses } from "./authentication/key-usage.ts"
import type { Exchange } from "./exchange.ts"
import { respondToBrokenHttp, takeEveryRequest } from "./messages/broken-http.ts"
import { idempotency } from "./messages/idempotency.ts"
import { errorResponder } from "./messages/problem-response.ts"
import { type LogDestination, requestLog } from "./messages/request-log.ts"
import { type BodyPace, bodyPace, watchBodies } from "./messages/slow-bodies.ts"
import { uploads } from "./messages/upload.ts"
import { responseWriter } from "./messages/write-response.ts"
import { createServer } from "./node-http.ts"
import { operationRoute } from "./operation-route.ts"
import { createPipeline } from "./pipeline.ts"
import { accountQuota } from "./rate-limiting/account-quota.ts"
import { clientAddress } from "./rate-limiting/client-address.ts"
import { boundedRequests, type ConnectionLimits, connections } from "./rate-limiting/connection-limit.ts"
import type { IpRateLimit } from "./rate-limiting/ip-rate-limit.ts"
import { type Load, loadShedding } from "./rate-limiting/load-shedding.ts"
import { createRouter, type Router } from "./router.ts"
import { foreignPageGuard } from "./routes/foreign-pages.ts"
import { addHealth } from "./routes/health.ts"
import { notFound } from "./routes/not-found.ts"
import { respondToOtherMethod } from "./routes/other-methods.ts"
import { addV2 } from "./routes/v2.ts"

/** Of a request's head; `slow-bodies.ts` sees to its body. */
const headersTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
/** How often connections are looked at for requests that take too long. */
const timeoutCheckMs = 1_000

export type Served = {
  ports: Ports & { log: Logger }
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  signals: Invalidation
  limitAddress: IpRateLimit
  /** Address blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  connectionLimits: ConnectionLimits
  load: Load
  retention: Retention
  /** What differs from how fast bodies must come in. */
  pace?: Partial<BodyPace>
  /** Whether there are credentials that everybody knows, as in the sandbox. */
  hasKnownKeys: boolean
  /** Where the lines of requests go. */
  requestLines: LogDestination
  /** Whether the paths of the classic v2 are there, too. */
  hasV2: boolean
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
  listen(host: string, port: number): Promise<void>
  close(): Promise<void>
}

/** The HTTP server that interprets the contract: every endpoint becomes a route, every rule of it is held here. */
export function createHttpServer(served: Served): HttpServer {
  const { ports, limitAddress, state, signals } = served
  const { publicUrl, log, store, clock } = ports
  const router = createRouter()
  const load = loadShedding(served.load)
  const uses = keyUses(store, clock, (error) => log.error({ err: error }, "uses not stored"))
  const { inTurn, whenResponded, guard } = connections()
  const respondNotFound = notFound(served.notFoundPage)
  const pipeline = createPipeline({
    router,
    addressOf: clientAddress(served.trustedProxies),
    requireCapacity: load.requireCapacity,
    limitAddress,
    guardAdministration: served.hasKnownKeys ? foreignPageGuard(publicUrl) : () => undefined,
    watchBody: watchBodies({ ...bodyPace, ...served.pace }, ({ request }) => cut(request.socket)),
    respondNotFound,
    respondToOtherMethod,
    respondToError: errorResponder(publicUrl, log),
    write: responseWriter({ isSecure: () => publicUrl().startsWith("https:"), isDraining: () => state.draining }),
    log: requestLog(served.requestLines),
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
  server.on("clientError", respondToBrokenHttp(publicUrl, whenResponded))
  takeEveryRequest(server, publicUrl)
  const cut = (socket: Socket) =>
    server.emit(
      "clientError",
      Object.assign(new Error("the body came in too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
      socket,
    )

  addHealth(router, { store, requireCapacity: load.requireCapacity, state })
  const parts = {
    ports,
    store,
    signals,
    load,
    admit: admission({
      authenticate: authenticator({ store, clock, signals, uses, externalIssuer: served.externalIssuer }),
      limitAddress,
      limitAccount: accountQuota(ports),
      publicUrl,
    }),
    once: idempotency(store, clock, served.retention.responses),
    receive: uploads(ports.blobs, clock),
  }
  const makeRoute = (name: string, endpoint: Endpoint, operation: Operation<Endpoint>) =>
    operationRoute(name, endpoint, operation, parts)
  for (const [name, endpoint] of Object.entries(served.api)) {
    const route = makeRoute(name, endpoint, served.operations[name] as Operation<Endpoint>)
    router.add([endpoint.method], basePath + routePath(endpoint.path), route)
  }
  if (served.hasV2) addV2(router, served, makeRoute)

  return {
    server,
    router,
    respondNotFound,
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once("error", reject)
        server.listen({ host, port }, () => {
          server.off("error", reject)
          resolve()
        })
      }),
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeIdleConnections()
      })
      await uses.save()
    },
  }
}
