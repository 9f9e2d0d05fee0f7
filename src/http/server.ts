import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { Caller } from "../domain/accounts/model.ts"
import type { Operation } from "../domain/context.ts"
import type { Retention } from "../domain/policy.ts"
import type { Invalidation, Ports, Store } from "../domain/ports.ts"
import { bodyBytesMaxOf, type Endpoint, type Input } from "../kernel/endpoint.ts"
import { json } from "../kernel/json.ts"
import { JsonResponse } from "../kernel/json-response.ts"
import { encodeCursor } from "../kernel/page.ts"
import { basePath, routePath } from "../kernel/path.ts"
import { Problem } from "../kernel/problem.ts"
import { authenticator, challenges } from "./authentication/authenticate.ts"
import type { ExternalIssuer } from "./authentication/external-issuer.ts"
import { keyUses } from "./authentication/key-usage.ts"
import { contextOf } from "./context.ts"
import { brokenHttpAnswer, takeEveryRequest } from "./messages/broken-http.ts"
import { isKnown } from "./messages/conditional-requests.ts"
import { acceptsJson } from "./messages/content-negotiation.ts"
import { idempotency, type Outcome } from "./messages/idempotency.ts"
import { pathOf, problemResponder } from "./messages/problem-response.ts"
import { inputReader } from "./messages/read-input.ts"
import { logRequests } from "./messages/request-log.ts"
import { type BodyPace, bodyPace, cutSlowBodies } from "./messages/slow-bodies.ts"
import { uploads } from "./messages/upload.ts"
import { limitStep } from "./rate-limiting/account-quota.ts"
import { clientAddress } from "./rate-limiting/client-address.ts"
import { boundedRequests, type ConnectionLimits, connections } from "./rate-limiting/connection-limit.ts"
import type { AddressLimit } from "./rate-limiting/ip-rate-limit.ts"
import { type Load, type RequireCapacity, shedLoad } from "./rate-limiting/load-shedding.ts"
import { refuseForeignPages } from "./routes/foreign-pages.ts"
import {
  allowBrowsers,
  answerOtherMethods,
  answerUnknownPaths,
  commonHeaders,
  limitOthers,
  requireHost,
} from "./routes/other-requests.ts"

/** Of a request's head; `slow-bodies.ts` sees to its body. */
const headersTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000
/** How often connections are looked at for requests that take too long. */
const timeoutCheckMs = 1_000
/** As long as the head of a request may be, so that it is the operation that judges a parameter. */
const pathParameterLengthMax = 16_384

declare module "fastify" {
  interface FastifyRequest {
    /** Who is calling; set on every operation that needs a credential. */
    caller: Caller | undefined
    /** The network address the request comes from, seen past trusted proxies. */
    address: string
  }
  interface FastifyContextConfig {
    isUpload?: boolean
  }
}

export type Served = Ports & {
  api: Record<string, Endpoint>
  operations: Record<string, Operation<Endpoint>>
  signals: Invalidation
  byAddress: AddressLimit
  /** Address blocks of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  connectionLimits: ConnectionLimits
  load: Load
  retention: Retention
  /** What differs from how fast bodies must come in. */
  pace?: Partial<BodyPace>
  /** Whether there are credentials that everybody knows, as in the sandbox. */
  hasKnownKeys: boolean
  log: Logger
  /** While the service drains, every response ends its connection. */
  state: { draining: boolean }
  /** Whose tokens are accepted besides our own. */
  externalIssuer: ExternalIssuer | undefined
}

/** The HTTP server that interprets the contract: every endpoint becomes a route, every rule of it is held here. */
export function serve(served: Served): { app: FastifyInstance; requireCapacity: RequireCapacity } {
  const http = {
    requestTimeout: 0,
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: timeoutCheckMs,
    requireHostHeader: false,
    ...boundedRequests,
  }
  const { taking, settle, guard } = connections()
  const app = fastify({
    forceCloseConnections: "idle",
    return503OnClosing: false,
    serverFactory(handle) {
      const server = createServer(http, taking(handle))
      guard(server, served.connectionLimits)
      return server
    },
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: pathParameterLengthMax },
    clientErrorHandler: brokenHttpAnswer(served.publicUrl, settle),
    // An address that cannot be decoded reaches no hook.
    frameworkErrors: (error, request, reply) =>
      respond(
        error,
        request as FastifyRequest,
        (reply as FastifyReply).headers(commonHeaders(request as FastifyRequest, served.publicUrl())),
      ),
  })
  takeEveryRequest(app.server, served.publicUrl)
  const respond = problemResponder(served.publicUrl, served.log)
  app.setErrorHandler(respond)
  app.decorateRequest("caller", undefined)
  app.decorateRequest("address", "")
  const addressOf = clientAddress(served.trustedProxies)
  app.addHook("onRequest", async (request) => {
    request.address = addressOf(request.raw)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body))

  logRequests(app, served.log)
  app.addHook("onSend", async (_request, reply) => {
    if (served.state.draining) reply.header("connection", "close")
  })
  allowBrowsers(app, served.publicUrl)
  const requireCapacity = shedLoad(app, served.load)
  cutSlowBodies(app, { ...bodyPace, ...served.pace })
  requireHost(app)
  limitOthers(app, served.byAddress)
  const once = idempotency(served.store, served.clock, served.retention.responses)
  if (served.hasKnownKeys) refuseForeignPages(app, Object.values(served.api), served.publicUrl)
  const uses = keyUses(served.store, served.clock, (error) => served.log.error({ err: error }, "uses not stored"))
  app.addHook("onClose", uses.save)
  const steps = {
    once,
    authenticate: authenticator({ ...served, uses }),
    limit: limitStep(served),
    receive: uploads(served.blobs, served.clock),
  }
  const endpoints = Object.entries(served.api)
  for (const [name, endpoint] of endpoints) if (!endpoint.upload) addRoute(app, served, steps, name, endpoint)
  // Their bodies are left to the operation, which reads them as a stream.
  void app.register((streaming, _options, done) => {
    streaming.removeAllContentTypeParsers()
    streaming.addContentTypeParser("*", (_request, _body, parsed) => parsed(null))
    for (const [name, endpoint] of endpoints) if (endpoint.upload) addRoute(streaming, served, steps, name, endpoint)
    done()
  })
  answerOtherMethods(app, Object.values(served.api))
  answerUnknownPaths(app)
  return { app, requireCapacity }
}

/** What every request goes through, shared by all routes. */
type Steps = {
  once: ReturnType<typeof idempotency>
  authenticate: ReturnType<typeof authenticator>
  limit: ReturnType<typeof limitStep>
  receive: ReturnType<typeof uploads>
}

function addRoute(
  app: FastifyInstance,
  served: Served,
  { once, authenticate, limit, receive }: Steps,
  name: string,
  endpoint: Endpoint,
): void {
  const { store, signals, byAddress, publicUrl } = served
  const operation = served.operations[name] as Operation<Endpoint>
  const read = inputReader(endpoint)

  /** Runs the operation; what an upload left on the disk is gone before the answer goes out. */
  async function outcomeOf(request: FastifyRequest): Promise<Outcome> {
    await using upload = endpoint.upload && receive(request, endpoint.upload)
    const input = { ...read(request), upload } as Input<Endpoint>
    const changed = new Set<number>()
    const perform = async (store: Store) =>
      asReply(await operation(contextOf(served, endpoint, request, store, changed), input))
    try {
      if (endpoint.idempotent && request.caller)
        return await once(request, request.caller.ownerId, endpoint.status, perform)
      return { status: endpoint.status, reply: await perform(store), replayed: false }
    } finally {
      // A verb may commit a change of credentials and then refuse.
      for (const accountId of changed) await signals.announce({ kind: "credentials-changed", accountId })
    }
  }

  app.route({
    method: endpoint.method,
    url: basePath + routePath(endpoint.path),
    config: { operationId: name, isUpload: endpoint.upload !== undefined },
    bodyLimit: bodyBytesMaxOf(endpoint),

    // Before the body is read: a caller without a credential costs nothing more.
    async onRequest(request, reply) {
      reply.header(
        "cache-control",
        endpoint.conditional && endpoint.method === "GET" ? "private, no-cache" : "no-store",
      )
      if (endpoint.scope === "open") {
        await byAddress("anonymous", request)
        if (endpoint.hashesPassword) await byAddress("password", request)
        return
      }
      const { authorization, api_key: key } = request.headers
      try {
        const { caller, ending } = await authenticate(request.headers, request.address)
        request.caller = caller
        if (ending) reply.headers(ending)
      } catch (error) {
        if (error instanceof Problem) {
          await byAddress(authorization || key ? "failed" : "anonymous", request)
          reply.header("www-authenticate", challenges(publicUrl(), authorization && ', error="invalid_token"'))
        }
        throw error
      }
      if (endpoint.cost !== 0) await limit(request.caller.account, reply)
      requireScope(request.caller, endpoint.scope, reply, publicUrl())
    },

    async handler(request, reply) {
      if (!acceptsJson(request.headers.accept))
        throw new Problem(
          "not-acceptable",
          `The answer is application/json, which Accept: ${request.headers.accept} rules out`,
        )
      const outcome = await outcomeOf(request)
      if (outcome.replayed) reply.header("idempotency-replayed", "true")
      return send(request, reply, outcome.status, outcome.reply, publicUrl)
    },
  })
}

function requireScope(caller: Caller, scope: string, reply: FastifyReply, publicUrl: string): void {
  if (scope === "any" || (caller.scopes as ReadonlySet<string>).has(scope)) return
  const [bearer] = challenges(publicUrl, `, error="insufficient_scope", scope="${scope}"`)
  reply.header("www-authenticate", bearer)
  throw new Problem("forbidden", `This operation needs the scope ${scope}, which the credential was not given`)
}

const asReply = (result: unknown): JsonResponse<unknown> =>
  result instanceof JsonResponse ? result : new JsonResponse(json(result))

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  answer: JsonResponse<unknown>,
  publicUrl: () => string,
) {
  reply.headers(answer.headers)
  if (answer.next !== undefined) reply.header("link", `<${publicUrl()}${nextPage(request, answer.next)}>; rel="next"`)
  if (answer.etag !== undefined) {
    reply.header("etag", answer.etag)
    const isRead = request.method === "GET" || request.method === "HEAD"
    if (isRead && isKnown(request.headers["if-none-match"], answer.etag)) return reply.code(304).send()
  }
  return reply.code(status).header("content-type", "application/json; charset=utf-8").send(answer.json)
}

function nextPage(request: FastifyRequest, next: number): string {
  const path = pathOf(request.url)
  const parameters = new URLSearchParams(request.url.slice(path.length))
  parameters.set("cursor", encodeCursor(next))
  return `${path}?${parameters}`
}
