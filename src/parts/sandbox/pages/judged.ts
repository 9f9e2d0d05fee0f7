import { eventKinds } from "../../../core/domain/events/contract.ts"
import { html, type Markup } from "../../site/pages/html.ts"
import type { Fact } from "../../site/pages/parts/detail.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** How a request with `Prefer: explain` was judged, as facts of the request and of its response; none of any other request. */
export function judged({ explanation }: RecordedRequest): { request: Facts; response: Facts } {
  if (!explanation) return { request: {}, response: {} }
  const { credential, requiredScope, grantedScopes, limits, schema, violations, faultRule, events } = explanation
  return {
    request: {
      Plan: credential?.plan,
      "Required scope": requiredScope,
      Scopes: grantedScopes?.join(", "),
      Schema: schema,
    },
    response: {
      Limits: limits
        ?.map(
          ({ policy, quota, remaining, resetSeconds }) =>
            `${remaining} of ${quota} left of the ${policy}, more in ${resetSeconds} s`,
        )
        .join("; "),
      Violations: violations && lines(violations.map((one) => `${locationOf(one)} ${one.detail}`)),
      "Fault rule": faultRule && html`<code>${JSON.stringify(faultRule)}</code>`,
      "Events written": events.length === 0 ? "None" : lines(events.map(({ event }) => eventKinds[event].summary)),
    },
  }
}

type Facts = Readonly<Record<string, Fact>>

type Violations = NonNullable<NonNullable<RecordedRequest["explanation"]>["violations"]>

const locationOf = (violation: Violations[number]): string =>
  "pointer" in violation ? violation.pointer || "The body" : violation.parameter

const lines = (texts: readonly string[]): Markup => html`${texts.map((text) => html`<div>${text}</div>`)}`
