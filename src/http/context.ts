import type { FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { TSchema } from "typebox"
import type { Caller } from "../domain/accounts/model.ts"
import type { Context } from "../domain/context.ts"
import type { Ports, Store } from "../domain/ports.ts"
import { checkOf } from "../kernel/check.ts"
import type { Endpoint } from "../kernel/endpoint.ts"
import { Problem, problem, type Violation } from "../kernel/problem.ts"
import { bearerOf } from "./authentication/authenticate.ts"
import { ifMatch } from "./messages/conditional-requests.ts"
import { credentialOf } from "./messages/request-log.ts"

/** What one request hands to its operation; `changed` collects the accounts whose credentials it changes. */
export function contextOf(
  { log, ...ports }: Ports & { log: Logger },
  endpoint: Endpoint,
  request: FastifyRequest,
  store: Store,
  changed: Set<number>,
): Context {
  const caller = request.caller as Caller
  return {
    ...ports,
    store,
    caller,
    address: request.address,
    bearer: bearerOf(request.headers.authorization),
    ifMatch: endpoint.conditional ? ifMatch(request.headers["if-match"]) : undefined,
    log: (what, facts) => log.info({ requestId: request.id, ...(caller && credentialOf(caller)), ...facts }, what),
    credentialsChanged: (accountId) => void changed.add(accountId),
    refuse,
    accept: accept as Context["accept"],
    valid: <S extends TSchema>(schema: S, value: unknown) => {
      const violations = checkOf(schema)(value)
      if (violations.length > 0) refuse("invalid-body", violations)
      return value as never
    },
  }
}

function refuse(code: string, detail: string | readonly Violation[]): never {
  throw problem(code, detail)
}

function accept(outcome: unknown): unknown {
  if (outcome instanceof Problem) throw outcome
  return outcome
}
