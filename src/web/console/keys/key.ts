import type { ShownKey } from "../../../domain/keys/contract.ts"
import { scopes as scopeWords } from "../../../domain/scopes.ts"
import { Type } from "../../../kernel/schema/type.ts"
import { html, type Markup } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { confirm } from "../../parts/confirm.ts"
import { fieldsOf } from "../../parts/fields.ts"
import { heading } from "../../parts/heading.ts"
import { shownOnce } from "../../parts/shown-once.ts"
import { timeTag, timeTagOr } from "../../parts/time.ts"
import { formOf } from "../form.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { keyState } from "./key-state.ts"

/** How long a rotated key may go on working, in seconds. */
const overlaps: Record<string, string> = {
  "0": "Not at all",
  "3600": "1 hour",
  "86400": "24 hours",
  "604800": "7 days",
  "2592000": "30 days",
}

const usualOverlap = "86400"

const rotation = formOf({
  action: "rotate",
  fields: fieldsOf(Type.Object({ overlap: Type.Enum(Object.keys(overlaps)) }), {
    overlap: { label: "The old key goes on working", choices: overlaps },
  }),
  async submit(visit, { overlap }) {
    const overlapSeconds = Number(overlap || usualOverlap)
    const { value: key } = await visit.call.rotateKey({ params: { id: idOf(visit) }, query: { overlapSeconds } })
    return shownOnce({
      heading: `${key.name} was rotated`,
      texts: { "New key": key.secret },
      advice: html`The old key works ${overlapSeconds === 0 ? "no longer" : `for ${overlaps[String(overlapSeconds)] ?? "a while"} more`}: give programs the new one.`,
      to: { href: `${visit.root}/keys/${key.id}`, words: "Go to the new key" },
    })
  },
})

export const keyPage: ConsolePage = {
  path: "/keys/:keyId",
  title: "Key",
  scope: "manage:keys",
  asksPassword: ["rotate", "revoke"],
  async show(visit) {
    const { value: key } = await visit.call.getKey({ params: { id: idOf(visit) } })
    return html`${heading(visit, { title: key.name, badge: badge(keyState(key, visit.service.now())) })}
${facts(key)}
${
  key.rotatedAt === undefined &&
  html`<h2>Rotate</h2>
<p>A new key takes its place, with the same scopes and lifetime. Choose how long programs have to change over.</p>
${rotation.render(visit, { button: "Rotate the key", values: { overlap: usualOverlap } })}`
}
${confirm(visit, {
  summary: "Revoke this key…",
  warning: "Whoever uses it is refused from the next request on, for good.",
  action: "revoke",
  words: `Revoke ${key.name}`,
})}`
  },
  actions: {
    ...rotation.actions,
    async revoke(visit) {
      await visit.call.revokeKey({ params: { id: idOf(visit) } })
      return { to: "/keys", notice: "The key was revoked" }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.keyId)

const facts = (key: ShownKey): Markup => html`<dl>
<dt>Id</dt><dd>${key.id}</dd>
<dt>It may</dt><dd><ul class="lines">${key.scopes.map((scope) => html`<li>${scopeWords[scope]} <code>${scope}</code></li>`)}</ul></dd>
<dt>From</dt><dd>${key.allowedCidrs.length === 0 ? "any address" : html`<ul class="lines">${key.allowedCidrs.map((cidr) => html`<li><code>${cidr}</code></li>`)}</ul>`}</dd>
<dt>Created</dt><dd>${timeTag(key.createdAt)}</dd>
<dt>Last used</dt><dd>${timeTagOr(key.lastUsedAt, "never")}</dd>
${key.rotatedAt !== undefined && html`<dt>Rotated</dt><dd>${timeTag(key.rotatedAt)}, another key took its place</dd>`}
<dt>Expires</dt><dd>${timeTagOr(key.expiresAt, "never")}</dd>
</dl>`
