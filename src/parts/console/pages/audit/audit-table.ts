import type { AuditEntry } from "../../../../core/domain/audit/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import type { Visit } from "../page.ts"
import { nameReferences } from "./audit-names.ts"

export async function auditTable(visit: Visit, rows: readonly AuditEntry[], empty: Markup | string): Promise<Markup> {
  const show = await nameReferences(
    visit,
    rows.flatMap(({ principal, thing = [] }) => [principal, thing].flat()),
  )
  return table({
    caption: "Entries of the audit log, newest first",
    columns: [
      { title: "When", kind: "time", cell: ({ time }) => timeAgo(visit, time) },
      {
        title: "Action",
        kind: "text",
        cell: ({ id, action, result }) =>
          html`<a href="${visit.root}/audit/${id}">${action}</a>${result === "refused" && html` ${badge(result)}`}`,
      },
      { title: "Subject", kind: "text", cell: ({ thing }) => (thing === undefined ? "" : show(thing)) },
      { title: "Actor", kind: "text", cell: ({ principal }) => show(principal) },
      { title: "IP", kind: "code", cell: ({ address }) => address ?? "" },
    ],
    rows,
    empty,
  })
}
