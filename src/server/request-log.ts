import type { FastifyInstance } from "fastify"
import type { Logger } from "pino"
import { pathOf } from "./problems.ts"

/** One JSON line a request. Queries, headers and bodies may hold secrets and never reach the log. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", (request, reply, done) => {
    log.info({
      requestId: request.id,
      method: request.method,
      path: pathOf(request.url),
      operation: (request.routeOptions.config as { operationId?: string }).operationId,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      account: request.caller?.account.id,
      key: request.caller?.credential.id,
    })
    done()
  })
}
