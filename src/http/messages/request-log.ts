import type { FastifyInstance } from "fastify"
import type { Logger } from "pino"
import type { Caller } from "../../domain/accounts/model.ts"
import { pathOf } from "./problem-response.ts"

/** One JSON line a request. Queries, headers and bodies may hold secrets and never reach the log. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onResponse", (request, reply, done) => {
    log.info({
      requestId: request.id,
      method: request.method,
      path: pathOf(request.originalUrl),
      operation: (request.routeOptions.config as { operationId?: string }).operationId,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
      ...(request.caller && credentialOf(request.caller)),
    })
    done()
  })
}

/** `account: 3, key: 7` or `account: 3, session: 7`. */
export const credentialOf = ({ account, credential: { kind, id } }: Caller) => ({ account: account.id, [kind]: id })
