import type { RequestJournal } from "../../domain/sandbox/model.ts"
import { requests } from "../../domain/sandbox/requests/contract.ts"
import { basePath, v2Path } from "../../kernel/network/path.ts"
import type { Mount } from "../../server/exchange/exchange.ts"
import { callerIn } from "../authentication/caller.ts"

/** What is done with the journal itself. */
const unrecorded: ReadonlySet<string | undefined> = new Set(Object.keys(requests))
const [belowApi, belowV2] = [`${basePath}/`, `${v2Path}/`]

/** Adds finished requests to the journal of a sandbox; in production there is none. */
export const recorder =
  (journal: RequestJournal | undefined): Mount["observe"] =>
  (exchange, durationMs) => {
    const { path, query, route, method, status, problem, fault } = exchange
    const operation = route?.operation
    if (!journal || unrecorded.has(operation)) return
    if (!path.startsWith(belowApi) && !path.startsWith(belowV2)) return
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
