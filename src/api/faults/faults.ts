import type { ProblemCode } from "../../domain/problems/problems.ts"
import { type Breakage, type EarlyBreakage, earlyBreakages } from "../../domain/sandbox/faults/contract.ts"
import type { FaultRules } from "../../domain/sandbox/model.ts"
import type { Scope } from "../../domain/scopes.ts"
import type { Endpoint } from "../../kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { problemsOf } from "../openapi/problem-responses.ts"
import type { Handle, Step } from "../operations/steps.ts"
import { breakResponse, failEarly } from "./break-response.ts"
import { createDelays } from "./delayed-responses.ts"
import { type Decided, faultChooser } from "./fault-chooser.ts"
import { makeProblem, type ProblemParts } from "./make-problem.ts"

type FaultsParts = ProblemParts & {
  respondToError(exchange: Exchange, error: unknown): HttpResponse
  rules: FaultRules
}

type Faults = {
  /** Makes admitted requests fail. */
  step: Step
  /** Ends every delay, restarts every series, and removes the rules. */
  forget(): void
  /** Ends every delay, also future ones: the service is stopping. */
  drain(): void
}

/**
 * Makes operations fail as a request demands in `Prefer`, or else as the rules of the sandbox do, for tests of clients;
 * docs/sandbox.md lists the faults. Such a request is admitted and counted like any other.
 */
export function createFaults(parts: FaultsParts): Faults {
  const delays = createDelays()
  const chooser = faultChooser(parts.rules)

  const step: Step = (next, { name, endpoint }) => {
    const codes = problemsOf(endpoint as Endpoint<Scope, ProblemCode>)
    return (exchange) => {
      const faults = chooser.mayHave(exchange, name) ? chooser.choose(exchange, name, codes) : undefined
      return faults ? fail(exchange, endpoint, next, faults) : next(exchange)
    }
  }

  async function fail(exchange: Exchange, endpoint: Endpoint, next: Handle, faults: Decided) {
    const { waitSeconds, breakage } = faults
    if (waitSeconds || breakage === "slow") delays.enter(exchange)
    if (isEarly(breakage)) {
      if (waitSeconds) await delays.pause(exchange, waitSeconds * 1000)
      return failEarly(exchange, breakage)
    }
    const response = await respond(exchange, endpoint, next, faults)
    if (waitSeconds) await delays.pause(exchange, waitSeconds * 1000)
    // A stream has started by then.
    if (!response && breakage) exchange.response.destroy()
    return response && breakage && !exchange.response.destroyed
      ? breakResponse(exchange, response, breakage, delays.pause)
      : response
  }

  /** A refusal is a response too, and may be lost on its way. */
  async function respond(exchange: Exchange, endpoint: Endpoint, next: Handle, { code, retryAfter }: Decided) {
    try {
      if (code) throw makeProblem({ code, retryAfter }, exchange, endpoint, parts)
      return await next(exchange)
    } catch (error) {
      return parts.respondToError(exchange, error)
    }
  }

  return {
    step,
    forget() {
      delays.wake()
      chooser.forget()
    },
    drain: delays.drain,
  }
}

const isEarly = (breakage: Breakage | undefined): breakage is EarlyBreakage =>
  earlyBreakages.some((early) => early === breakage)
