import type { ShownKey } from "../../domain/keys/contract.ts"
import { scopes as scopeWords } from "../../domain/scopes.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { confirm } from "../parts/confirm.ts"
import { failureNotice } from "../parts/failure.ts"
import { field } from "../parts/field.ts"
import { postForm } from "../parts/post-form.ts"
import { shownOnce } from "../parts/shown-once.ts"
import { time } from "../parts/time.ts"
import { keyState } from "./key-state.ts"
import type { ConsolePage, Visit } from "./page.ts"

/** How long a rotated key may go on working, in seconds. */
const overlaps: Record<string, string> = {
  "0": "Not at all",
  "3600": "1 hour",
  "86400": "24 hours",
  "604800": "7 days",
  "2592000": "30 days",
}

const usualOverlap = "86400"

/** An API key: what it may do, rotating and revoking it. */
export const keyPage: ConsolePage = {
  path: "/keys/:keyId",
  title: "Key",
  scope: "manage:keys",
  async show(visit) {
    const { value: key } = await visit.call.getKey({ params: { id: idOf(visit) } })
    return html`<p class="back"><a href="${visit.root}/keys">All keys</a></p>
<div class="heading"><h1>${key.name}</h1>${badge(keyState(key, visit.service.now()))}</div>
${failureNotice(visit.failure)}
${facts(key)}
${key.rotatedAt === undefined && rotation(visit)}
${confirm(
  "Revoke this key…",
  "Whoever uses it is refused from the next request on, for good.",
  postForm(visit, html`<button class="danger">Revoke ${key.name}</button>`, { action: "revoke" }),
)}`
  },
  actions: {
    rotate: {
      asksPassword: true,
      async run(visit, form) {
        const query = { overlapSeconds: Number(form.get("overlap") || usualOverlap) }
        const { value: key } = await visit.call.rotateKey({ params: { id: idOf(visit) }, query })
        return {
          show: shownOnce({
            heading: `${key.name} was rotated`,
            texts: { "New key": key.secret },
            advice: html`The old key works ${query.overlapSeconds === 0 ? "no longer" : `for ${overlaps[String(query.overlapSeconds)] ?? "a while"} more`}: give programs the new one.`,
            to: { href: `${visit.root}/keys/${key.id}`, words: "Go to the new key" },
          }),
        }
      },
    },
    revoke: {
      asksPassword: true,
      async run(visit) {
        await visit.call.revokeKey({ params: { id: idOf(visit) } })
        return { to: "/keys", notice: "The key was revoked" }
      },
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.keyId)

const facts = (key: ShownKey): Markup => html`<dl>
<dt>Id</dt><dd>${key.id}</dd>
<dt>It may</dt><dd><ul class="lines">${key.scopes.map((scope) => html`<li>${scopeWords[scope]} <code>${scope}</code></li>`)}</ul></dd>
<dt>From</dt><dd>${key.allowedCidrs.length === 0 ? "any address" : html`<ul class="lines">${key.allowedCidrs.map((cidr) => html`<li><code>${cidr}</code></li>`)}</ul>`}</dd>
<dt>Created</dt><dd>${time(key.createdAt)}</dd>
<dt>Last used</dt><dd>${key.lastUsedAt === undefined ? "never" : time(key.lastUsedAt)}</dd>
${key.rotatedAt !== undefined && html`<dt>Rotated</dt><dd>${time(key.rotatedAt)}, another key took its place</dd>`}
<dt>Expires</dt><dd>${key.expiresAt === undefined ? "never" : time(key.expiresAt)}</dd>
</dl>`

const rotation = (visit: Visit): Markup => html`<h2>Rotate</h2>
<p>A new key takes its place, with the same scopes and lifetime. Choose how long programs have to change over.</p>
${postForm(
  visit,
  html`${field({
    ...{ name: "overlap", shape: { enum: Object.keys(overlaps) }, isRequired: true, errors: [] },
    said: { label: "The old key goes on working", choices: overlaps },
    texts: [visit.failure?.form.get("overlap") ?? usualOverlap],
  })}
<button>Rotate the key</button>`,
  { action: "rotate" },
)}`
