import type { Handle, Step } from "../../../core/api/operations/steps.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { sandboxKeys } from "../seeds/keys.ts"

/** Who acts in a request that is admitted as one of the administrator. */
const acting = new WeakMap<Exchange<Caller>, Caller>()

/** Handles the request as if the sandbox's administrator had sent it. */
export function asAdministrator(exchange: Exchange<Caller>, next: Handle): ReturnType<Handle> {
  const { headers } = exchange.request
  delete headers.authorization
  headers.api_key = sandboxKeys[0].secret
  return next(exchange)
}

/** Handles the request as that of a caller whom the service would refuse, and who may do no more than before. */
export function asRefused(exchange: Exchange<Caller>, next: Handle, caller: Caller): ReturnType<Handle> {
  acting.set(exchange, caller)
  return asAdministrator(exchange, next)
}

/** After admission, gives a request the caller that acts in it. */
export const actingCaller: Step =
  (next, { endpoint: { scope } }) =>
  (exchange) => {
    const caller = acting.get(exchange)
    if (caller === undefined) return next(exchange)
    const isAllowed = scope === "any" || scope === "open" || (caller.scopes as ReadonlySet<string>).has(scope)
    if (!isAllowed)
      throw new Problem("forbidden", `This operation needs the scope ${scope}, which the credential was not given`)
    exchange.caller = caller
    return next(exchange)
  }
