import type { Authenticate } from "../../../core/api/authentication/authenticate.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import { basePath, v2Path } from "../../../core/kernel/network/path.ts"
import type { Exchange, Observer } from "../../../core/server/exchange/exchange.ts"
import { hasBody } from "../../../core/server/reading/request-head.ts"
import { endpointPaths } from "../faults/contract.ts"
import type { RequestJournal } from "../model.ts"
import { completeRecord } from "./complete-record.ts"
import { requests } from "./contract.ts"
import { asksForExplanation, explanationOf, nothingKnown } from "./explain.ts"
import { Observed, observedIn } from "./observed.ts"

/** What programs call: the operations, and of the authorization server what needs no browser. */
const recorded = [`${basePath}/`, `${v2Path}/`, ...endpointPaths]
/** What is done with the journal itself. */
const journalPath = basePath + requests.listRequests.path

const isRecorded = ({ path }: Exchange): boolean =>
  recorded.some((start) => path.startsWith(start)) && path !== journalPath && !path.startsWith(`${journalPath}/`)

type Recording = { journal: RequestJournal; publicUrl(): string; authenticate: Authenticate }

/** Adds finished requests to the journal of a sandbox, and refers to it those that ask for an explanation. */
export function recorder({ journal, publicUrl, authenticate }: Recording): Observer {
  function arrive(exchange: Exchange): number | undefined {
    const observed = observedIn(exchange)
    if (observed.recordId === undefined && isRecorded(exchange)) observed.recordId = journal.nextId()
    return observed.recordId
  }

  function record(exchange: Exchange<Caller>, id: number, durationMs: number): void {
    const { path, query, route, method, status, problem, request, received, caller } = exchange
    const { fault, heldMs, judgement } = observedIn(exchange)
    const exchanged = {
      facts: {
        durationMs,
        operation: route?.operation,
        webhookId: undefined,
        method,
        status: exchange.isDropped ? undefined : status,
        problem,
        fault,
        heldMs,
        caller,
        isBodyUnread: received.length === 0 && hasBody(request) && !request.readableDidRead,
        explanation: judgement && explanationOf(exchange, judgement),
      },
      path,
      query,
      requestHeaders: request.rawHeaders,
      responseHeaders: [["x-request-id", exchange.id], exchange.head, exchange.headers],
      requestBody: received,
      isRequestCut: received.length > 0 && !request.complete,
      responseBody: exchange.sent,
    }
    journal.add(exchanged, id)
  }

  return {
    begin: () => new Observed(),
    arrive,
    complete: (exchange) =>
      observedIn(exchange).recordId === undefined ? undefined : completeRecord(exchange, authenticate),
    end(exchange: Exchange<Caller>, durationMs) {
      const id = arrive(exchange)
      if (id !== undefined && !observedIn(exchange).judgement?.isRecorded) record(exchange, id, durationMs)
    },
    beforeHead(exchange: Exchange<Caller>) {
      if (!asksForExplanation(exchange.request.headers)) return
      const id = arrive(exchange)
      if (id === undefined) return
      const observed = observedIn(exchange)
      observed.judgement ??= nothingKnown()
      exchange.header("preference-applied", "explain")
      // The entry is added as soon as the response is written.
      const path = requests.getRequest.path.replace("{id}", String(id))
      exchange.header("link", `<${publicUrl()}${basePath}${path}>; rel="describedby"`)
      if (exchange.headMs === undefined) return
      // A stream ends later.
      observed.judgement.isRecorded = true
      record(exchange, id, exchange.headMs)
    },
  }
}
