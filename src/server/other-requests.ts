import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import type { Endpoint } from "../kernel/endpoint.ts"
import { basePath, routePath } from "../kernel/path.ts"
import { Problem } from "../kernel/problem.ts"
import { pathOf } from "./problems.ts"

const exposedHeaders = "ETag, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id"
const preflightMaxAge = 86_400

/** Credentials travel in headers, never in cookies, so pages of any origin may call the service (Fetch, CORS protocol). */
export function allowBrowsers(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({
      "x-request-id": request.id,
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": exposedHeaders,
    })
  })
}

/** Every address of the contract answers to every method: 405 with `Allow`, or the preflight's 204. */
export function answerOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  for (const [path, here] of byPath) {
    const known = new Set<string>(here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])))
    const allow = [...known, "OPTIONS"].join(", ")
    const others = app.supportedMethods.filter((method) => !known.has(method) && method !== "OPTIONS")
    const url = basePath + routePath(path)
    app.route({ method: "OPTIONS", url, handler: (request, reply) => preflight(request, reply, allow) })
    app.route({ method: others, url, handler: (request, reply) => refuseMethod(request, reply, allow) })
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

export function answerUnknownPaths(app: FastifyInstance): void {
  app.setNotFoundHandler((request) => {
    throw new Problem("not-found", `There is nothing at ${pathOf(request.url)}; /docs describes what there is`)
  })
}
