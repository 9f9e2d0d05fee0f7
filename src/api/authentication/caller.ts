import type { Caller } from "../../domain/accounts/model.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"

/** The caller of a request. The server knows only what it logs of them; admission sets nothing but callers. */
export const callerIn = ({ caller }: Pick<Exchange, "caller">): Caller | undefined => caller as Caller | undefined
