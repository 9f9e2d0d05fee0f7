import { METHODS } from "node:http"
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { basePath, routePath } from "../../kernel/path.ts"
import { Problem } from "../../kernel/problem.ts"
import { notFoundPage } from "../../web/not-found.ts"
import { prefersHtml } from "../messages/content-negotiation.ts"
import { pathOf } from "../messages/problem-response.ts"
import { sendResponse } from "../messages/send-response.ts"
import type { AddressLimit } from "../rate-limiting/ip-rate-limit.ts"
import { isHealth } from "../rate-limiting/load-shedding.ts"

const exposedHeaders =
  "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id, Location, Deprecation, Sunset, X-Rate-Limit, X-Expires-After"
const preflightMaxAge = 86_400
const hstsMaxAge = 31_536_000

/** Credentials travel in headers, never in cookies, so pages of any origin may call the service (Fetch, CORS protocol). */
export function allowBrowsers(app: FastifyInstance, publicUrl: () => string): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(commonHeaders(request, publicUrl()))
  })
}

/** What every response carries. */
export const commonHeaders = (request: FastifyRequest, publicUrl: string) => ({
  "x-request-id": request.id,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposedHeaders,
  // RFC 6797 section 7.2: never over plain HTTP.
  ...(publicUrl.startsWith("https:") && { "strict-transport-security": `max-age=${hstsMaxAge}` }),
})

/** RFC 9112 section 3.2: a request of HTTP/1.1 without Host, or any with more than one, is refused. */
export function requireHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    const { host, count } = hostsOf(raw.rawHeaders)
    if (count > 1) throw new Problem("malformed-request", "The header Host is there more than once")
    if (host === undefined && raw.httpVersion === "1.1")
      throw new Problem("malformed-request", "The header Host is missing")
  })
}

function hostsOf(rawHeaders: readonly string[]): { host: string | undefined; count: number } {
  const values = rawHeaders.filter((_, n) => n % 2 === 1 && rawHeaders[n - 1]?.toLowerCase() === "host")
  return { host: values[0], count: values.length }
}

/**
 * Counts what is no operation against the address that asks: pages and images apart from preflights, wrong methods and
 * unknown paths. Operations, health and the authorization server see to themselves.
 */
export function limitOthers(app: FastifyInstance, byAddress: AddressLimit): void {
  app.addHook("onRequest", async (request) => {
    const { operationId } = request.routeOptions.config as { operationId?: string }
    const path = pathOf(request.url)
    if (operationId !== undefined || isHealth(path) || path.startsWith("/oauth/")) return
    const isFile = !request.is404 && (request.method === "GET" || request.method === "HEAD")
    await byAddress(isFile ? "files" : "anonymous", request)
  })
}

/** Every address of the contract answers to every method: 405 with `Allow`, or the preflight's 204. */
export function answerOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
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
    const onRequest = async (request: FastifyRequest, reply: FastifyReply) => refuseMethod(request, reply, allow)
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
export function answerUnknownPaths(app: FastifyInstance): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const url = pathOf(request.url)
    const allowed = app.supportedMethods.filter((method) => app.hasRoute({ method, url }))
    if (allowed.length > 0) refuseMethod(request, reply, allowed.join(", "))
    if (prefersHtml(request.headers.accept) && !url.startsWith(basePath)) return sendResponse(reply, notFoundPage(url))
    throw new Problem("not-found", `There is nothing at ${url}; /docs describes what there is`)
  }
  app.addHook("onRequest", async (request, reply) => {
    if (request.is404) return refuse(request, reply)
  })
  app.setNotFoundHandler(refuse)
}
