import type { HttpResponse } from "../../kernel/network/http-response.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { readNoBody } from "../../server/reading/body.ts"
import { requireEventStream } from "../../server/reading/content-negotiation.ts"
import { strictHandling } from "../../server/reading/strict-handling.ts"
import type { Access } from "../admission/access.ts"
import { admittedCaller } from "../authentication/caller.ts"
import type { Streams } from "../feeds/streams.ts"
import type { Requester } from "./context.ts"
import type { Invocable } from "./invoke.ts"

/** Opens a stream for an admitted caller, from the request or the session of a page. Its first page is paid where the request was counted. */
export type OpenStream = (
  exchange: Exchange,
  by: Requester & { request: Pick<Exchange["request"], "socket"> },
  isFirstPaid: boolean,
) => Promise<HttpResponse | undefined>

/** Closes a stream when its caller would no longer be admitted. */
export function streamOpener(
  { endpoint, readParameters, startStream }: Invocable,
  { readmit, takeFromPlan }: Pick<Access, "readmit" | "takeFromPlan">,
  streams: Streams,
): OpenStream {
  const requireKnownQuery = strictHandling(endpoint)

  return async (exchange, by, isFirstPaid) => {
    requireEventStream(exchange.request.headers.accept)
    requireKnownQuery(exchange)
    const parameters = readParameters(exchange)
    await readNoBody(exchange.request)
    const start = await startStream(by, parameters)
    const caller = admittedCaller(by)
    const recheck = async () => (await readmit(by, endpoint)).expiresAt
    const replay = endpoint.cost === 0 ? undefined : { takePage: () => takeFromPlan(caller), isFirstPaid }
    return streams.open(exchange, { ...start, caller, recheck, ...(replay && { replay }) })
  }
}
