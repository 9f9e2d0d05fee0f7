import { METHODS } from "node:http"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Endpoint } from "../kernel/endpoint.ts"
import { basePath, routePath } from "../kernel/path.ts"
import { Problem } from "../kernel/problem.ts"
import { prefersHtml } from "./accept.ts"
import type { AddressLimit } from "./address-limit.ts"
import { sendPage } from "./pages/layout.ts"
import { notFoundPage } from "./pages/not-found.ts"
import { pathOf } from "./problems.ts"

const exposedHeaders =
  "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id, Location, Deprecation, Sunset, X-Rate-Limit, X-Expires-After"
const preflightMaxAge = 86_400

/** Credentials travel in headers, never in cookies, so pages of any origin may call the service (Fetch, CORS protocol). */
export function allowBrowsers(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(commonHeaders(request))
    done()
  })
}

/** What every answer carries. */
export const commonHeaders = (request: FastifyRequest) => ({
  "x-request-id": request.id,
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
})

/** RFC 9112 section 3.2: a request of HTTP/1.1 without Host is refused. */
export function requireHost(app: FastifyInstance): void {
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    const isMissing = raw.httpVersion === "1.1" && raw.headers.host === undefined
    done(isMissing ? new Problem("malformed-request", "The header Host is missing") : undefined)
  })
}

/** Every address of the contract answers to every method: 405 with `Allow`, or the preflight's 204. */
export function answerOtherMethods(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  byAddress: AddressLimit,
): void {
  for (const method of METHODS)
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  for (const [path, here] of byPath) {
    const known = new Set<string>(here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))
    const allow = [...known, "OPTIONS"].join(", ")
    const others = app.supportedMethods.filter((method) => !known.has(method) && method !== "OPTIONS")
    const url = basePath + routePath(path)
    app.route({ method: "OPTIONS", url, handler: (request, reply) => preflight(request, reply, allow) })
    // Before the body is read, whatever it is.
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      await byAddress("anonymous", request)
      refuseMethod(request, reply, allow)
    }
    app.route({ method: others, url, onRequest, handler: async () => {} })
  }
}

function preflight(request: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  return reply
    .code(204)
    .headers({
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": request.headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": preflightMaxAge,
    })
    .send()
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allow: string): never {
  reply.header("allow", allow)
  throw new Problem("method-not-allowed", `${pathOf(request.url)} answers to ${allow}, not to ${request.method}`)
}

/**
 * Everything else is 404, before its body is read: a page for a browser outside the interface, a problem for everybody
 * else; 405 where a page or a probe answers to another method.
 */
export function answerUnknownPaths(app: FastifyInstance, byAddress: AddressLimit): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const url = pathOf(request.url)
    const allowed = app.supportedMethods.filter((method) => app.hasRoute({ method, url }))
    if (allowed.length > 0) refuseMethod(request, reply, allowed.join(", "))
    if (prefersHtml(request.headers.accept) && !url.startsWith(basePath))
      return sendPage(reply.code(404).header("vary", "Accept"), notFoundPage(url), "no-store")
    throw new Problem("not-found", `There is nothing at ${url}; /docs describes what there is`)
  }
  app.addHook("onRequest", async (request, reply) => {
    if (!request.is404) return
    await byAddress("anonymous", request)
    return refuse(request, reply)
  })
  app.setNotFoundHandler(refuse)
}
