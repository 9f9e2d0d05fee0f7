import type { RequestJournal } from "../../domain/sandbox/model.ts"
import { requests } from "../../domain/sandbox/requests/contract.ts"
import { basePath, oauthPath, v2Path } from "../../kernel/network/path.ts"
import type { Exchange, Mount } from "../../server/exchange/exchange.ts"
import { callerIn } from "../authentication/caller.ts"
import { asksForExplanation, explanationOf, nothingKnown } from "./explain.ts"

/** What is done with the journal itself. */
const unrecorded: ReadonlySet<string | undefined> = new Set(Object.keys(requests))
/** What programs call: the operations, and of the authorization server what needs no browser. */
const recorded = [`${basePath}/`, `${v2Path}/`, `${oauthPath}/token`]

const isRecorded = ({ path, route }: Exchange): boolean =>
  !unrecorded.has(route?.operation) && recorded.some((start) => path.startsWith(start))

/** Adds finished requests to the journal of a sandbox, and refers to it those that ask for an explanation; in production there is none. */
export function recorder(
  journal: RequestJournal | undefined,
  publicUrl: () => string,
): Pick<Mount, "beforeHead" | "observe" | "isTimed"> {
  if (!journal) return { observe() {} }

  function record(exchange: Exchange, durationMs: number): void {
    const { path, query, route, method, status, problem, fault, explanation } = exchange
    journal?.add({
      facts: {
        durationMs,
        operation: route?.operation,
        webhookId: undefined,
        method,
        status,
        problem,
        fault,
        caller: callerIn(exchange),
        explanation: explanation && explanationOf(exchange, explanation),
      },
      path,
      query,
      requestHeaders: exchange.request.rawHeaders,
      responseHeaders: [["x-request-id", exchange.id], exchange.head, exchange.headers],
      requestBody: exchange.received,
      responseBody: exchange.sent,
    })
  }

  return {
    isTimed: true,
    observe(exchange, durationMs) {
      if (isRecorded(exchange) && !exchange.explanation?.isRecorded) record(exchange, durationMs)
    },
    beforeHead(exchange) {
      if (!asksForExplanation(exchange.request.headers) || !isRecorded(exchange)) return
      exchange.explanation ??= nothingKnown()
      exchange.header("preference-applied", "explain")
      // The entry is added as soon as the response is written.
      const path = requests.getRequest.path.replace("{id}", String(journal.last() + 1))
      exchange.header("link", `<${publicUrl()}${basePath}${path}>; rel="describedby"`)
      if (exchange.headMs === undefined) return
      // A stream ends later, when others have the next ids.
      exchange.explanation.isRecorded = true
      record(exchange, exchange.headMs)
    },
  }
}
