// Decision: docs/decisions/http.md#nodehttp-and-one-pipeline-of-our-own

import type { RequestListener } from "node:http"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Exchange, type HttpRoute, type Mount, type Resource } from "../exchange/exchange.ts"
import type { Router } from "../exchange/router.ts"
import type { IpRateLimit } from "../limits/ip-rate-limit.ts"
import { hasBody, requireHost, requirePercentEncoding } from "../reading/request-head.ts"
import { requestIdOf } from "../reading/request-id.ts"
import type { RespondToError } from "../writing/problem-response.ts"
import { respondToOtherMethod } from "./other-methods.ts"

export type PipelineParts = {
  router: Router
  /** The routes of another mount that the request selects; undefined for every other request. */
  enterMount(exchange: Exchange): Awaitable<Router> | undefined
  addressOf(request: Exchange["request"]): string
  limitAddress: IpRateLimit
  /** The service without a prefix. */
  mount: Mount
  /** Throws the 503 while the service is overloaded. */
  requireCapacity(): void
  /** Throws the 403 for a page of another site that would administer a service whose API keys are public. */
  guardAdministration(exchange: Exchange, resource: Resource): void
  /** Ends a request whose body arrives too slowly. */
  watchBody(exchange: Exchange): void
  respondNotFound(exchange: Exchange): Awaitable<HttpResponse>
  respondToError: RespondToError
  write(exchange: Exchange, response: HttpResponse): void
  /** Runs a request in its span, when requests are traced. */
  runInSpan?: ((exchange: Exchange, run: (exchange: Exchange) => void) => void) | undefined
  /** Counts and logs a request that has its response. */
  record(exchange: Exchange): void
}

/** The steps of every request, from top to bottom. They are synchronous until something must be awaited. */
export function createPipeline(parts: PipelineParts): RequestListener {
  const { router, enterMount, requireCapacity, limitAddress, guardAdministration, respondNotFound } = parts
  const finish = finisher(parts)

  function respond(exchange: Exchange): Awaitable<HttpResponse | undefined> {
    requireHost(exchange.request)
    requirePercentEncoding(exchange.request)
    const entering = enterMount(exchange)
    return entering === undefined ? follow(exchange, router) : andThen(exchange, entering, follow)
  }

  function follow(exchange: Exchange, router: Router): Awaitable<HttpResponse | undefined> {
    exchange.mount.observer.arrive?.(exchange)
    const found = router.find(exchange.path)
    if (!found) {
      requireCapacity()
      return andThen(exchange, limitAddress("anonymous", exchange.address), respondNotFound)
    }
    if ("enter" in found) return found.enter().then((part) => follow(exchange, part))
    const { resource, params } = found
    const route = resource.routes.get(exchange.method)
    exchange.resource = resource
    exchange.route = route
    exchange.params = params
    if (route?.admission === "health") return route.handle(exchange)
    if (hasBody(exchange.request)) parts.watchBody(exchange)
    requireCapacity()
    guardAdministration(exchange, resource)
    if (route?.admission === "operation") return route.handle(exchange)
    if (!route) return andThen(exchange, limitAddress("anonymous", exchange.address), respondToOtherMethod)
    return andThen(exchange, limitAddress(route.admission, exchange.address), handle)
  }

  function run(exchange: Exchange): void {
    const fail = (error: unknown) =>
      finish(exchange, (exchange.route?.respondToError ?? parts.respondToError)(exchange, error))
    try {
      const responding = respond(exchange)
      if (responding instanceof Promise) responding.then((ready) => finish(exchange, ready)).catch(fail)
      else finish(exchange, responding)?.catch(fail)
    } catch (error) {
      void fail(error)
    }
  }

  const { runInSpan = (exchange, run) => run(exchange) } = parts
  return (request, response) => {
    const id = requestIdOf(request.headers["x-request-id"])
    const exchange = new Exchange(request, response, id, parts.addressOf(request), parts.mount)
    runInSpan(exchange, run)
  }
}

const handle = (exchange: Exchange) => (exchange.route as HttpRoute).handle(exchange)

/** Writes the response and records the request; a promise where the mount reads something before. */
function finisher({ write, record }: PipelineParts) {
  function writeAndRecord(exchange: Exchange, response: HttpResponse): void {
    write(exchange, response)
    record(exchange)
  }

  /** For a route that writes its response itself. */
  function recordWhenClosed(exchange: Exchange): void {
    exchange.response.once("close", () => {
      exchange.status = exchange.response.statusCode
      record(exchange)
    })
  }

  return (exchange: Exchange, response: HttpResponse | undefined): Promise<void> | undefined => {
    if (!response) return void recordWhenClosed(exchange)
    const completing = exchange.mount.observer.complete?.(exchange)
    return completing === undefined
      ? void writeAndRecord(exchange, response)
      : completing.then(() => writeAndRecord(exchange, response))
  }
}
