import type { Caller } from "../../domain/accounts/model.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"

/** The caller of a request that was admitted to an operation with a scope. */
export function admittedCaller({ caller }: Pick<Exchange<Caller>, "caller">): Caller {
  if (caller) return caller
  throw new Error("the request was not admitted")
}
