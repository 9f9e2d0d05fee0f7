import { hash } from "node:crypto"
import { type AuditEntry, hashedText } from "../../../../core/domain/audit/contract.ts"
import { encodeCursor } from "../../../../core/kernel/endpoint/page.ts"
import { Problem } from "../../../../core/kernel/problem.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import type { ConsolePage, Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { nameReferences } from "./audit-names.ts"

export const auditEntryPage: ConsolePage = {
  path: "/audit/:entryId",
  title: "Audit entry",
  scope: "admin",
  async show(visit) {
    const { called, entry, before } = await read(visit)
    const account = entry.account && `account:${entry.account}`
    const references = [entry.principal, entry.credential, entry.thing, account].filter((each) => each !== undefined)
    const nameOf = await nameReferences(visit, references.map(String))
    const show = (reference: string) => {
      const shown = nameOf(reference)
      return shown === reference ? html`${reference}` : html`${shown} <span class="soft">${reference}</span>`
    }
    const { id, action, result, details = {} } = entry
    return html`${heading(visit, { back: { to: "/audit", label: "Audit log" }, title: action, badge: badge(result) })}
<dl class="record">
<dt>Entry</dt><dd>${id}</dd>
<dt>When</dt><dd>${timeWithAge(visit, entry.time)}</dd>
<dt>Actor</dt><dd>${show(entry.principal)} <a href="${more(visit, "principal", entry.principal)}">all entries of this actor</a></dd>
${fact("Credential", entry.credential && show(entry.credential))}
${fact("Subject", entry.thing && html`${show(entry.thing)} <a href="${more(visit, "thing", entry.thing)}">all entries about this subject</a>`)}
${fact("Account", account && show(String(account)))}
${fact("IP", entry.address)}
${fact("Request", entry.requestId && html`<code>${entry.requestId}</code>`)}
${Object.entries(details).map(([name, value]) => fact(`Details: ${name}`, html`<code>${String(value)}</code>`))}
<dt>Hash</dt><dd><code>${entry.hash}</code></dd>
<dt>Previous hash</dt><dd><code>${entry.previous}</code></dd>
</dl>
<p>${verdict(visit, entry, before)}</p>
<p class="soft"><code>petstore audit verify</code> checks the whole log.</p>
${apiRequest(visit, { request: called.request, value: entry })}`
  },
}

/** The entry and its predecessor, read from the list, newest first. */
async function read({ call, params }: Visit) {
  const id = Number(params.entryId)
  if (Number.isSafeInteger(id + 1) && id > 0) {
    const cursor = encodeCursor({ sort: "-id", id: id + 1 })
    const called = await call.listAudit({ query: { cursor, limit: 2 } })
    const [entry, before] = called.value
    if (entry?.id === id) return { called, entry, before }
  }
  throw new Problem("not-found", "There is no such entry, or its retention has expired")
}

const fact = (name: string, value: Markup | string | number | undefined): Markup | undefined =>
  value === undefined ? undefined : html`<dt>${name}</dt><dd>${value}</dd>`

const more = ({ root }: Visit, filter: string, value: string) =>
  `${root}/audit?${new URLSearchParams({ [filter]: value })}`

function verdict({ root }: Visit, entry: AuditEntry, before: AuditEntry | undefined): Markup {
  const bad = (label: string) => html`<strong class="alarm">${label}</strong>`
  if (hash("sha256", hashedText(entry)) !== entry.hash)
    return bad("This entry was changed: its hash does not match its content.")
  if (before === undefined) return html`This entry is unchanged. It is the oldest entry that is retained.`
  if (before.id !== entry.id - 1 || before.hash !== entry.previous)
    return bad("The entry before this one was changed, replaced or removed.")
  return html`This entry is unchanged and follows <a href="${root}/audit/${before.id}">entry ${before.id}</a>.`
}
