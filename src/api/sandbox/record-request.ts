import { basePath, v2Path } from "../../kernel/network/path.ts"
import type { Exchange } from "../../server/pipeline/exchange.ts"

/** Reading the journal leaves it as it is. */
const unrecorded: ReadonlySet<string | undefined> = new Set(["listRequests", "streamRequests"])
const [belowApi, belowV2] = [`${basePath}/`, `${v2Path}/`]

/** Adds an ended exchange to the journal of its sandbox, if it has one. */
export function recordRequest(exchange: Exchange, durationMs: number): void {
  const { journal, path, query, route, method, status, problem, fault, caller } = exchange
  const operation = route?.operation
  if (!journal || unrecorded.has(operation)) return
  if (!path.startsWith(belowApi) && !path.startsWith(belowV2)) return
  journal.add({
    facts: { durationMs, operation, webhookId: undefined, method, status, problem, fault, caller },
    path,
    query,
    requestHeaders: exchange.request.rawHeaders,
    responseHeaders: [["x-request-id", exchange.id], exchange.head, exchange.headers],
    requestBody: exchange.received,
    responseBody: exchange.sent,
  })
}
