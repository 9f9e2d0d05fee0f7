import type { ShownKey } from "../../../../core/domain/keys/contract.ts"
import { scopes as scopeWords } from "../../../../core/domain/scopes.ts"
import { Type } from "../../../../core/kernel/schema/type.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { detail, facts } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { shownOnce } from "../../../site/pages/parts/shown-once.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { formOf } from "../form.ts"
import { type ConsolePage, type Visit, withPassword } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { fieldsOf } from "../parts/fields.ts"
import { aKnownKey, keyState } from "./key-state.ts"

/** Overlap periods of a rotated key, in seconds. */
const overlaps: Record<string, string> = {
  "0": "None",
  "3600": "1 hour",
  "86400": "24 hours",
  "604800": "7 days",
  "2592000": "30 days",
}

const defaultOverlap = "86400"

const rotation = formOf({
  action: "rotate",
  fields: fieldsOf(Type.Object({ overlap: Type.Enum(Object.keys(overlaps)) }), {
    overlap: { label: "Overlap period of the old key", choices: overlaps },
  }),
  async submit(visit, { overlap }) {
    const overlapSeconds = Number(overlap || defaultOverlap)
    const { value: key } = await visit.call.rotateKey({ params: { id: idOf(visit) }, query: { overlapSeconds } })
    return shownOnce({
      heading: `${key.name} was rotated`,
      texts: { "New key": key.secret },
      advice: html`The old key ${overlapSeconds === 0 ? "no longer works" : `works for another ${overlaps[String(overlapSeconds)] ?? "while"}`}. Configure the new key in your programs.`,
      to: { href: `${visit.root}/keys/${key.id}`, label: "Go to the new key" },
    })
  },
})

export const keyPage: ConsolePage = {
  path: "/keys/:keyId",
  title: "Key",
  scope: "manage:keys",
  asks: { rotate: withPassword("Rotate the key"), revoke: withPassword("Revoke the key") },
  async show(visit) {
    const called = await visit.call.getKey({ params: { id: idOf(visit) } })
    const { value: key } = called
    const isKnown = await visit.isKnownKey(key.id)
    return html`${heading(visit, { title: key.name, badge: badge(keyState(key, visit.service.now())) })}
${detail(
  html`${keyFacts(visit, key)}
${isKnown && html`<p class="soft">This is ${aKnownKey}. It can be neither rotated nor revoked.</p>`}
${
  !isKnown &&
  confirm(visit, {
    summary: "Revoke this key…",
    warning: "Requests with this key are refused from now on. This cannot be undone.",
    action: "revoke",
    label: `Revoke ${key.name}`,
  })
}`,
  key.rotatedAt === undefined &&
    !isKnown &&
    html`<h2>Rotate</h2>
<p>Creates a new key with the same scopes and lifetime. Choose for how long the old key keeps working.</p>
${rotation.render(visit, { button: "Rotate the key", values: { overlap: defaultOverlap } })}`,
)}
${apiRequest(visit, called)}`
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

const keyFacts = (visit: Visit, key: ShownKey): Markup =>
  facts({
    Id: key.id,
    Scopes: lines(key.scopes.map((scope) => html`${scopeWords[scope]} <code>${scope}</code>`)),
    "Allowed addresses":
      key.allowedCidrs.length === 0 ? "any" : lines(key.allowedCidrs.map((cidr) => html`<code>${cidr}</code>`)),
    Created: timeWithAge(visit, key.createdAt),
    "Last used": timeWithAge(visit, key.lastUsedAt, "never"),
    Rotated:
      key.rotatedAt === undefined ? undefined : html`${timeWithAge(visit, key.rotatedAt)}, replaced by another key`,
    Expires: timeWithAge(visit, key.expiresAt, "never"),
  })

const lines = (all: readonly Markup[]): Markup =>
  html`<ul class="lines">${all.map((each) => html`<li>${each}</li>`)}</ul>`
