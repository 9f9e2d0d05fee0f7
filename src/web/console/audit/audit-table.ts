import type { AuditEntry } from "../../../domain/audit/contract.ts"
import { html, type Markup } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import { thingLink } from "../../parts/thing-link.ts"
import { timeTag } from "../../parts/time.ts"
import type { Visit } from "../page.ts"

export async function auditTable(visit: Visit, rows: readonly AuditEntry[], empty: Markup | string): Promise<Markup> {
  const { value: own } = await visit.call.getOwnAccount()
  return table({
    caption: "Entries of the audit log, newest first",
    columns: [
      { title: "When (UTC)", kind: "time", cell: (entry) => timeTag(entry.time, "second") },
      {
        title: "Action",
        kind: "text",
        cell: ({ id, action, result }) =>
          html`<a href="${visit.root}/audit/${id}">${action}</a>${result === "refused" && html` ${badge(result)}`}`,
      },
      {
        title: "Subject",
        kind: "text",
        cell: ({ thing, account }) => (thing === undefined ? "" : thingLink(visit, thing, account === own.id)),
      },
      { title: "Actor", kind: "text", cell: ({ principal }) => principal },
      { title: "IP", kind: "code", cell: ({ address }) => address ?? "" },
    ],
    rows,
    empty,
  })
}
