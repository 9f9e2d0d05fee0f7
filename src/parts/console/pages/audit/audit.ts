import { auditActions } from "../../../../core/domain/audit/actions.ts"
import { html } from "../../../site/pages/html.ts"
import { withZone } from "../../../site/pages/parts/form-values.ts"
import { asChoices } from "../../../site/pages/parts/search-form.ts"
import { listPage } from "../list-page.ts"
import { auditTable } from "./audit-table.ts"

export const auditPage = listPage({
  path: "/audit",
  title: "Audit log",
  scope: "admin",
  intro: () =>
    html`<p class="soft">Changes of credentials, roles, plans, webhooks, applications and users, and rejected sign-ins. Times can be combined with one of
the other filters.</p>`,
  controls: [
    { kind: "choice", name: "action", label: "Action", choices: asChoices(auditActions) },
    { kind: "text", name: "thing", label: "Subject", example: "key:7", maxLength: 64 },
    { kind: "text", name: "principal", label: "Actor", example: "user:3", maxLength: 64 },
    { kind: "text", name: "account", label: "Account id", maxLength: 16 },
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
  show: (visit, rows) => auditTable(visit, rows, html`No entries match. <a href="${visit.root}/audit">Show all</a>`),
})
