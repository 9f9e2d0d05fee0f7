// Decision: docs/decisions/sandbox.md#an-explanation-is-collected-by-requests-that-ask-for-it

import type { IncomingHttpHeaders } from "node:http"
import { nameEvents } from "../../../core/api/operations/noting-store.ts"
import type { Handle, Step } from "../../../core/api/operations/steps.ts"
import type { Caller } from "../../../core/domain/accounts/model.ts"
import type { Store } from "../../../core/domain/ports/store.ts"
import { type Json, json } from "../../../core/kernel/json/json.ts"
import type { HttpResponse } from "../../../core/kernel/network/http-response.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import { preferenceOf } from "../../../core/server/reading/preferences.ts"
import type { RecordedRequest } from "./contract.ts"
import { type Explanation, observedIn } from "./observed.ts"

/** Collects how a request with `Prefer: explain` (RFC 7240) is judged. */
export const explained =
  (store: Store): Step =>
  (next, { endpoint: { scope, body } }) => {
    const { title, items } = (body ?? {}) as { title?: string; items?: { title?: string } }
    const schema = title ?? items?.title

    async function explain(exchange: Exchange<Caller>): Promise<HttpResponse | undefined> {
      const explanation = { ...nothingKnown(), requiredScope: scope, schema }
      observedIn(exchange).judgement = explanation
      const response = await next(exchange)
      // Without the ids, which fail while the database does, the response is what it would be.
      await nameEvents(store, explanation).catch(() => undefined)
      return response
    }

    return (exchange) => (asksForExplanation(exchange.request.headers) ? explain(exchange) : next(exchange))
  }

/** The same for a request that no operation takes. */
export const explainedAtEndpoint =
  (next: Handle): Handle =>
  (exchange) => {
    if (asksForExplanation(exchange.request.headers)) observedIn(exchange).judgement = nothingKnown()
    return next(exchange)
  }

export const asksForExplanation = (headers: IncomingHttpHeaders): boolean => preferenceOf(headers, "explain") === ""

/** Of a request that no operation takes. */
export const nothingKnown = (): Explanation => ({
  requiredScope: undefined,
  schema: undefined,
  limits: [],
  violations: [],
  faultRule: undefined,
  events: [],
  isRecorded: false,
})

/** The explanation as a recorded request has it, without secrets but for what the client sent. */
export function explanationOf(
  exchange: Exchange<Caller>,
  { requiredScope, schema, limits, violations, faultRule, events }: Explanation,
): Json<RecordedRequest["explanation"]> {
  const { caller, problem } = exchange
  return json({
    ...(caller && {
      credential: {
        ...caller.credential,
        account: caller.account.id,
        plan: caller.account.plan,
        ...(caller.isAssumed && { isAssumed: true }),
      },
    }),
    ...(requiredScope !== undefined && { requiredScope }),
    ...(caller && { grantedScopes: [...caller.scopes] }),
    ...(limits.length > 0 && { limits }),
    ...(schema !== undefined && { schema }),
    ...(violations.length > 0 && { violations }),
    ...(faultRule && { faultRule }),
    // A refusal may have rolled them back.
    events: problem === undefined ? events.map(({ event, id }) => ({ event, id })) : [],
  } as RecordedRequest["explanation"])
}
