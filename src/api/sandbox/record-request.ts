import type { RequestJournal } from "../../domain/sandbox/model.ts"
import { requests } from "../../domain/sandbox/requests/contract.ts"
import { basePath, oauthPath, v2Path } from "../../kernel/network/path.ts"
import type { Mount } from "../../server/exchange/exchange.ts"
import { callerIn } from "../authentication/caller.ts"

/** What is done with the journal itself. */
const unrecorded: ReadonlySet<string | undefined> = new Set(Object.keys(requests))
/** What programs call: the operations, and of the authorization server what needs no browser. */
const recorded = [`${basePath}/`, `${v2Path}/`, `${oauthPath}/token`]

/** Adds finished requests to the journal of a sandbox; in production there is none. */
export const recorder =
  (journal: RequestJournal | undefined): Mount["observe"] =>
  (exchange, durationMs) => {
    const { path, query, route, method, status, problem, fault } = exchange
    const operation = route?.operation
    if (!journal || unrecorded.has(operation)) return
    if (!recorded.some((start) => path.startsWith(start))) return
    journal.add({
      facts: {
        durationMs,
        operation,
        webhookId: undefined,
        method,
        status,
        problem,
        fault,
        caller: callerIn(exchange),
      },
      path,
      query,
      requestHeaders: exchange.request.rawHeaders,
      responseHeaders: [["x-request-id", exchange.id], exchange.head, exchange.headers],
      requestBody: exchange.received,
      responseBody: exchange.sent,
    })
  }
