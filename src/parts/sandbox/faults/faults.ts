import type { Invocable } from "../../../core/api/operations/invoke.ts"
import type { Step } from "../../../core/api/operations/steps.ts"
import { problemsOf } from "../../../core/api/problems/problem-responses.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { Scope } from "../../../core/domain/scopes.ts"
import type { Endpoint } from "../../../core/kernel/endpoint/endpoint.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type Handling, handledBy } from "../handling.ts"
import type { Holding } from "../holds/holding.ts"
import type { FaultRules } from "../model.ts"
import { faultCatalogue } from "./catalogue.ts"
import { type Breakage, type EarlyBreakage, earlyBreakages } from "./contract.ts"
import { createDelays } from "./delayed-responses.ts"
import { createFaultChooser, type Decided } from "./fault-chooser.ts"
import { makeProblem } from "./make-problem.ts"

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
export function createFaults(
  rules: FaultRules,
  ports: Pick<Ports, "plans" | "publicUrl">,
  respondToError: (exchange: Exchange, error: unknown) => HttpResponse,
  holding: Pick<Holding, "handlingsOf">,
): Faults {
  const delays = createDelays()
  const chooser = createFaultChooser(rules)
  const catalogue = faultCatalogue(delays)

  const step: Step = (next, operation) => {
    const { name, endpoint } = operation
    const codes = problemsOf(endpoint as Endpoint<Scope, ProblemCode>)
    return handledBy((exchange) => {
      const faults = chooser.mayHave(exchange, name) ? chooser.choose(exchange, name, codes) : undefined
      return faults && handlingsOf(exchange, operation, faults)
    })(next)
  }

  /** From the outermost: what breaks the response, what delays it, what holds it, and what it is. */
  function handlingsOf(exchange: Exchange<Caller>, operation: Invocable, faults: Decided): readonly Handling[] {
    const { waitSeconds, breakage, hold, code, retryAfter } = faults
    if (waitSeconds || breakage === "slow") delays.enter(exchange)
    const wait = async () => {
      if (waitSeconds) await delays.pause(exchange, waitSeconds * 1000)
      await exchange.mount.observer.complete?.(exchange)
    }
    const delayed: Handling = async (one, next) => {
      const response = await next(one)
      await wait()
      return response
    }
    /** A refusal is a response too, and may be lost on its way. */
    const responding: Handling = async (one, next) => {
      try {
        if (code) throw makeProblem({ code, retryAfter }, one, operation.endpoint, ports)
        return await next(one)
      } catch (error) {
        return respondToError(one, error)
      }
    }
    if (hold) return [delayed, ...holding.handlingsOf(exchange, operation, hold, code !== undefined), responding]
    if (breakage === undefined) return [delayed, responding]
    return isEarly(breakage) ? [delayedBefore(wait), catalogue[breakage]] : [catalogue[breakage], delayed, responding]
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

const delayedBefore =
  (wait: () => Promise<void>): Handling =>
  async (exchange, next) => {
    await wait()
    return next(exchange)
  }

const isEarly = (breakage: Breakage | undefined): breakage is EarlyBreakage =>
  earlyBreakages.some((early) => early === breakage)
