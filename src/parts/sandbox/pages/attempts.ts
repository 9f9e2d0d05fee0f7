import { html, type Markup } from "../../site/pages/html.ts"
import { describeAttempts, describeChange } from "../attempts/attempt-words.ts"
import type { RecordedRequest } from "../journal/contract.ts"

/** The attempts at a request as one line that opens; nothing of a request that was sent once. */
export function foldedAttempts(one: RecordedRequest, base: string): Markup | undefined {
  const words = describeAttempts(one)
  return words === undefined
    ? undefined
    : html`<details><summary>${words}</summary>
${attemptList(one, base)}</details>`
}

/** The attempts at a request, as a section of its page. */
export function otherAttempts(one: RecordedRequest, base: string): Markup | undefined {
  const words = describeAttempts(one)
  return words === undefined
    ? undefined
    : html`<h2>Attempts</h2>
<p class="soft">${words}</p>
${attemptList(one, base)}`
}

/** Each attempt with a link to its page below `base`, and what it has other than the one before it. */
const attemptList = ({ id, attempts = [] }: RecordedRequest, base: string): Markup =>
  html`<ol>${attempts.map(
    (each) => html`
<li>${each.id === id ? "This one" : html`<a href="${base}/${each.id}">Request ${each.id}</a>`}: ${each.outcome}
${each.changes && html`<ul>${each.changes.map((change) => html`<li><code>${describeChange(change)}</code></li>`)}</ul>`}</li>`,
  )}
</ol>`
