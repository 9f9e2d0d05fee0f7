import type { ProblemCode } from "../../domain/problems/problems.ts"
import type { FaultRules } from "../../domain/sandbox/model.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange, HttpRoute } from "../../server/pipeline/exchange.ts"
import type { Admit } from "../admission/admission.ts"
import { problemsOf } from "../openapi/problem-answers.ts"
import { breakResponse } from "./break-response.ts"
import { type Decided, faultChooser } from "./fault-chooser.ts"
import { createHolds } from "./holds.ts"
import { makeProblem, type ProblemDeps } from "./make-problem.ts"

type FaultsDeps = ProblemDeps & {
  admit: Admit
  respondToError(exchange: Exchange, error: unknown): HttpResponse
  rules: FaultRules
}

type Operation = { name: string; endpoint: Endpoint }

/**
 * Makes operations fail as a request demands in `Prefer`, or else as the rules of the sandbox do, for tests of clients;
 * docs/sandbox.md lists the faults. Such a request is admitted and counted like any other.
 */
export function faultsOnDemand(deps: FaultsDeps) {
  const { admit, respondToError } = deps
  const holds = createHolds()
  const faultsOf = faultChooser(deps.rules)

  /** The route of an operation, with faults for requests that demand one, and those of the rules. */
  function wrap({ name, endpoint }: Operation, makeRoute: (admit: Admit) => HttpRoute): HttpRoute {
    const plain = makeRoute(admit)
    const codes = problemsOf(endpoint as Endpoint<Scope, ProblemCode>)
    let admitted: HttpRoute | undefined

    function chooseAndHandle(exchange: Exchange): Awaitable<HttpResponse | undefined> {
      admitted ??= makeRoute(() => undefined)
      const faults = faultsOf.choose(exchange, name, codes)
      return faults ? fail(exchange, admitted, faults) : admitted.handle(exchange)
    }

    async function fail(exchange: Exchange, route: HttpRoute, faults: Decided): Promise<HttpResponse | undefined> {
      const { waitSeconds, breakage } = faults
      if (waitSeconds || breakage === "slow") holds.enter(exchange)
      const response = breakage === "drop" ? nothing : await respond(exchange, endpoint, route, faults)
      if (waitSeconds) await holds.pause(exchange, waitSeconds * 1000)
      // A stream has started by then.
      if (!response && breakage) exchange.response.destroy()
      return response && breakage && !exchange.response.destroyed
        ? breakResponse(exchange, response, breakage, holds.pause)
        : response
    }

    return {
      ...plain,
      handle: (exchange) =>
        faultsOf.mayHave(exchange, name)
          ? andThen(exchange, admit(exchange, endpoint), chooseAndHandle)
          : plain.handle(exchange),
    }
  }

  /** A refusal is a response too, and may be lost on its way. */
  async function respond(exchange: Exchange, endpoint: Endpoint, route: HttpRoute, { code }: Decided) {
    try {
      if (code) throw makeProblem(code, exchange, endpoint, deps)
      return await route.handle(exchange)
    } catch (error) {
      return respondToError(exchange, error)
    }
  }

  return {
    wrap,
    end: holds.end,
    /** Ends every delay, restarts every series, and removes the rules. */
    forget(): void {
      holds.wake()
      faultsOf.forget()
    },
  }
}

/** For the log only; it is never sent. */
const nothing: HttpResponse = { status: 503, headers: [], body: undefined }
