import type { IncomingMessage } from "node:http"
import type { Logger } from "pino"
import type { Static, TSchema } from "typebox"
import type { Caller } from "../../domain/accounts/model.ts"
import { actorOf } from "../../domain/audit/rules.ts"
import type { AnyContext, Context } from "../../domain/context.ts"
import type { Ports } from "../../domain/ports/ports.ts"
import type { Store } from "../../domain/ports/store.ts"
import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import { Problem, problem, type Violation } from "../../kernel/problem.ts"
import { checkOf } from "../../kernel/schema/check.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { preferenceOf } from "../../server/reading/preferences.ts"
import { loggedIds } from "../../server/writing/request-log.ts"
import { bearerOf } from "../authentication/authenticate.ts"
import { auditedStore } from "./audited-store.ts"
import { notingStore } from "./noting-store.ts"
import { requirePreconditions } from "./preconditions.ts"

/** Who calls an operation: a caller, or an anonymous client where there is none, and the headers of the request. */
export type Requester = Pick<Exchange<Caller>, "address" | "id" | "caller"> &
  // Absent where there is no response of the API.
  Partial<Pick<Exchange, "replaceHeader" | "observation" | "response">> & {
    request: Pick<IncomingMessage, "method" | "url" | "headers">
  }

/** A context, and the accounts whose credentials its operation has changed. */
export type RequestContext = { context: AnyContext; changed: ReadonlySet<number> }

/** `store` may be inside a transaction. Throws the 412 for a change whose conditions its resource does not meet. */
export function createContext(
  ports: Ports & { log: Logger },
  requester: Requester,
  endpoint: Endpoint,
  store: Store,
): RequestContext {
  const changed = new Set<number>()
  const { request, address, id, caller, observation, response } = requester
  const noted = observation?.judgement ? notingStore(store, observation.judgement) : store
  const access = endpoint.audited
    ? auditedStore(noted, actorOf(caller, { address, requestId: id }), ports.clock)
    : { store: noted, audit: unaudited }
  const context: AnyContext = {
    ...ports,
    store: access.store,
    audit: access.audit,
    caller,
    address,
    requestId: id,
    response,
    bearer: bearerOf(request.headers.authorization),
    lastEventId: endpoint.streams ? [request.headers["last-event-id"]].flat()[0] : undefined,
    wantsTotal: endpoint.counted === true && preferenceOf(request.headers, "count") === "exact",
    preconditions: requirePreconditions(endpoint, request.headers),
    log: (what, facts) => ports.log.info({ requestId: id, ...(caller && loggedIds(caller)), ...facts }, what),
    credentialsChanged: (accountId) => void changed.add(accountId),
    refuse,
    accept: accept as Context["accept"],
    attempt,
    valid,
  }
  return { context, changed }
}

/** The compiler lets no operation without audited actions note one. */
const unaudited = () => {}

function refuse(code: string, detail: string | readonly Violation[] = problems[code as ProblemCode].title): never {
  throw problem(code, detail)
}

function accept(outcome: unknown): unknown {
  if (outcome instanceof Problem) throw outcome
  return outcome
}

async function attempt<T>(part: () => Promise<T>): Promise<T | Problem> {
  try {
    return await part()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function valid<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const violations = checkOf(schema)(value)
  if (violations.length > 0) refuse("invalid-body", violations)
  return value as Static<S>
}
