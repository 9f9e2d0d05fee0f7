import { type ProblemCode, problems } from "../../domain/problems/problems.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { problemsOf } from "../openapi/problem-answers.ts"
import type { Admit } from "../pipeline/admission.ts"
import type { Exchange, HttpRoute } from "../pipeline/exchange.ts"
import { breakResponse } from "./break-response.ts"
import { createDraws } from "./draws.ts"
import { createHolds } from "./holds.ts"
import { makeProblem, type ProblemDeps } from "./make-problem.ts"
import { type FaultRequest, type Faults, readFaults } from "./read-faults.ts"

type FaultsDeps = ProblemDeps & {
  admit: Admit
  respondToError(exchange: Exchange, error: unknown): HttpResponse
}

/**
 * Makes operations fail as a request demands in `Prefer`, for tests of clients; docs/sandbox.md lists the faults. Such a request
 * is admitted and counted like any other.
 */
export function faultsOnDemand(deps: FaultsDeps) {
  const { admit, respondToError } = deps
  const holds = createHolds()
  const draws = createDraws()

  /** The route of an operation, with faults for requests that demand one. */
  function wrap(endpoint: Endpoint, makeRoute: (admit: Admit) => HttpRoute): HttpRoute {
    const plain = makeRoute(admit)
    const codes = problemsOf(endpoint as Endpoint<Scope, ProblemCode>)
    let admitted: HttpRoute | undefined

    async function handle(exchange: Exchange): Promise<HttpResponse | undefined> {
      await admit(exchange, endpoint)
      const requested = readFaults(exchange.request.headers.prefer, codes)
      admitted ??= makeRoute(() => undefined)
      if (!requested) return admitted.handle(exchange)
      const faults = choose(exchange, requested, codes)
      applied(exchange, requested, faults)
      if (faults.waitSeconds || faults.breakage === "slow") holds.enter(exchange)
      const response = faults.breakage === "drop" ? nothing : await respond(exchange, endpoint, admitted, faults)
      if (faults.waitSeconds) await holds.pause(exchange, faults.waitSeconds * 1000)
      // A stream has started by then.
      if (!response && faults.breakage) exchange.response.destroy()
      return response && faults.breakage && !exchange.response.destroyed
        ? breakResponse(exchange, response, faults.breakage, holds.pause)
        : response
    }

    return {
      ...plain,
      handle: (exchange) => (exchange.request.headers.prefer === undefined ? plain.handle(exchange) : handle(exchange)),
    }
  }

  /** A refusal is a response too, and may be lost on its way. */
  async function respond(exchange: Exchange, endpoint: Endpoint, route: HttpRoute, { code }: Faults) {
    try {
      if (code) throw makeProblem(code, exchange, endpoint, deps)
      return await route.handle(exchange)
    } catch (error) {
      return respondToError(exchange, error)
    }
  }

  function choose(
    { caller, address }: Exchange,
    { named, share, seed }: FaultRequest,
    codes: readonly ProblemCode[],
  ): Faults {
    if (share === undefined) return named
    const owner = caller ? String(caller.account.id) : address
    const draw = seed === undefined ? { share: Math.random(), choice: Math.random() } : draws.next(owner, seed)
    if (draw.share >= share) return {}
    if (Object.keys(named).length > 0) return named
    const any = accidentsOf(codes)
    return any[Math.floor(draw.choice * any.length)] as Faults
  }

  return {
    wrap,
    end: holds.end,
    /** Ends every delay, and restarts every series. */
    forget(): void {
      holds.wake()
      draws.forget()
    },
  }
}

/** For the log only; it is never sent. */
const nothing: HttpResponse = { status: 503, headers: [], body: undefined }

/** The faults that a correct client may meet. */
const accidentsOf = (codes: readonly ProblemCode[]): Faults[] => [
  ...codes.filter((code) => problems[code].status === 429 || problems[code].status >= 500).map((code) => ({ code })),
  ...(["drop", "lose", "truncate", "slow"] as const).map((breakage) => ({ breakage })),
]

/** Lists the preferences that were applied (RFC 7240 section 3). */
function applied(exchange: Exchange, { share, seed }: FaultRequest, { waitSeconds, code, breakage }: Faults): void {
  const followed = [
    share !== undefined && `faults=${share}${seed === undefined ? "" : `; seed=${seed}`}`,
    waitSeconds !== undefined && `wait=${waitSeconds}`,
    code && `code=${code}`,
    breakage && `fault=${breakage}`,
  ].filter((each) => typeof each === "string")
  const text = followed.join(", ")
  exchange.header("preference-applied", text)
  if (waitSeconds !== undefined || code || breakage) exchange.fault = text
}
