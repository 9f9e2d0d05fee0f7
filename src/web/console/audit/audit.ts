import { auditActions } from "../../../domain/audit/actions.ts"
import { html } from "../../html.ts"
import { withZone } from "../../parts/form-values.ts"
import { asChoices } from "../../parts/search-form.ts"
import { listPage } from "../list-page.ts"
import { auditTable } from "./audit-table.ts"

export const auditPage = listPage({
  path: "/audit",
  title: "Audit log",
  scope: "admin",
  intro: () =>
    html`<p class="soft">Every change of credentials, roles, plans, webhooks, applications and people, and every refused sign-in. Times can be combined
with one of the other filters.</p>`,
  controls: [
    { kind: "choice", name: "action", label: "What", choices: asChoices(auditActions) },
    { kind: "text", name: "thing", label: "To what, such as key:7", maxLength: 64 },
    { kind: "text", name: "principal", label: "Who, such as user:3", maxLength: 64 },
    { kind: "text", name: "account", label: "Account, by id", maxLength: 16 },
    { kind: "time", name: "since", label: "From (UTC)" },
    { kind: "time", name: "until", label: "Before (UTC)" },
  ],
  find: ({ call }, { since, until, ...query }) =>
    call.listAudit({
      query: {
        ...query,
        ...(since !== undefined && { since: withZone(String(since)) }),
        ...(until !== undefined && { until: withZone(String(until)) }),
      },
    }),
  show: (visit, rows) =>
    auditTable(visit, rows, html`There is no such entry. <a href="${visit.root}/audit">Show all</a>`),
})
