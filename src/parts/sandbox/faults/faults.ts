import type { Invocable } from "../../../core/api/operations/invoke.ts"
import type { EndpointStep } from "../../../core/api/operations/part-endpoint.ts"
import type { Handle, Step } from "../../../core/api/operations/steps.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Ports } from "../../../core/domain/ports/ports.ts"
import type { ProblemCode } from "../../../core/domain/problems/problems.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { type Handling, handledBy } from "../handling.ts"
import type { Holding } from "../holds/holding.ts"
import type { FaultRules, RetryAfter } from "../model.ts"
import { faultCatalogue } from "./catalogue.ts"
import { type Breakage, type EarlyBreakage, earlyBreakages } from "./contract.ts"
import { createDelays } from "./delayed-responses.ts"
import { createFaultChooser, type Decided } from "./fault-chooser.ts"
import { makeProblem, retryAfterText } from "./make-problem.ts"
import { type Failures, failuresOf, failuresOfEndpoint } from "./targets.ts"

type Faults = {
  /** Makes admitted requests fail. */
  step: Step
  /** Makes requests to endpoints of other parts fail. */
  endpointStep: EndpointStep
  /** Ends every delay, restarts every series, and removes the rules. */
  forget(): void
  /** Ends every delay, also future ones: the service is stopping. */
  drain(): void
}

/** What a request is for, and how its response fails. */
type Failing = Failures & {
  name: string
  /** Undefined for an endpoint of another part. */
  operation?: Invocable
  refuse(exchange: Exchange<Caller>, code: string, retryAfter: RetryAfter | undefined): HttpResponse
  spoil?(exchange: Exchange, flaw: string): void
}

/**
 * Makes operations fail as a request demands in `Prefer`, or else as the rules of the sandbox do, for tests of clients;
 * docs/faults.md lists the faults. Such a request is admitted and counted like any other.
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

  const fail = (next: Handle, failing: Failing): Handle =>
    handledBy((exchange) => {
      const { name } = failing
      const faults = chooser.mayHave(exchange, name) ? chooser.choose(exchange, name, failing) : undefined
      return faults && handlingsOf(exchange, failing, faults)
    })(next)

  /** From the outermost: what breaks the response, what delays it, what holds it, and what it is. */
  function handlingsOf(exchange: Exchange<Caller>, failing: Failing, faults: Decided): readonly Handling[] {
    const { waitSeconds, breakage, hold, code, retryAfter, flaw } = faults
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
        if (code) return failing.refuse(one, code, retryAfter)
        if (flaw) failing.spoil?.(one, flaw)
        return await next(one)
      } catch (error) {
        return respondToError(one, error)
      }
    }
    if (hold)
      return [delayed, ...holding.handlingsOf(exchange, failing.operation, hold, code !== undefined), responding]
    if (breakage === undefined) return [delayed, responding]
    return isEarly(breakage) ? [delayedBefore(wait), catalogue[breakage]] : [catalogue[breakage], delayed, responding]
  }

  return {
    step: (next, operation) =>
      fail(next, {
        ...failuresOf(operation.endpoint),
        name: operation.name,
        operation,
        refuse(exchange, code, retryAfter) {
          const { endpoint } = operation
          const problem = makeProblem({ code: code as ProblemCode, retryAfter }, exchange, endpoint, ports)
          return respondToError(exchange, problem)
        },
      }),
    endpointStep(next, endpoint) {
      const failures = failuresOfEndpoint(endpoint)
      return fail(next, {
        ...failures,
        name: endpoint.path,
        refuse(exchange, code, retryAfter) {
          const refusal = failures.refusals.find((one) => one.code === code)
          return endpoint.refuse(exchange, code, refusal?.hasRetryAfter ? retryAfterText(retryAfter) : undefined)
        },
        spoil: endpoint.spoil,
      })
    },
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
