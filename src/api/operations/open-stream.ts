import type { Caller } from "../../domain/accounts/model.ts"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { readNoBody } from "../../server/reading/body.ts"
import { requireEventStream } from "../../server/reading/content-negotiation.ts"
import { strictHandling } from "../../server/reading/strict-handling.ts"
import type { AccountQuota } from "../admission/account-quota.ts"
import type { Readmit } from "../admission/admission.ts"
import type { CredentialedRequest } from "../authentication/authenticate.ts"
import { callerIn } from "../authentication/caller.ts"
import type { Streams } from "../feeds/streams.ts"
import type { Requester } from "./context.ts"
import type { Invocable } from "./invoke.ts"

export type StreamParts = { readmit: Readmit; takeFromPlan: AccountQuota["takeFromPlan"]; streams: Streams }

/** The client of a stream, from the request or the session of a page. */
type StreamRequester = Requester & { request: CredentialedRequest }

/**
 * Opens a stream for an admitted caller, and closes it when the caller would no longer be admitted. Its first page is paid where the
 * request was counted.
 */
export function streamOpener({ endpoint, readParameters, startStream }: Invocable, parts: StreamParts) {
  const { readmit, takeFromPlan, streams } = parts
  const requireKnownQuery = strictHandling(endpoint)

  return async (exchange: Exchange, by: StreamRequester, isFirstPaid: boolean) => {
    requireEventStream(exchange.request.headers.accept)
    requireKnownQuery(exchange)
    const parameters = readParameters(exchange)
    await readNoBody(exchange.request)
    const start = await startStream(by, parameters)
    const caller = callerIn(by) as Caller
    const recheck = async () => (await readmit(by, endpoint)).expiresAt
    const holder = { kind: "account", id: caller.account.id } as const
    const replay = endpoint.cost === 0 ? undefined : { takePage: () => takeFromPlan(caller), isFirstPaid }
    return streams.open(exchange, { ...start, holder, recheck, ...(replay && { replay }) })
  }
}
