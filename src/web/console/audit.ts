import { auditActions } from "../../domain/audit/actions.ts"
import { html } from "../html.ts"
import { pager } from "../parts/pager.ts"
import { asChoices, searchForm } from "../parts/search-form.ts"
import { auditTable } from "./audit-table.ts"
import { showFound } from "./find.ts"
import type { ConsolePage } from "./page.ts"

/** Who did what, newest first, as `GET /audit` finds it. */
export const auditPage: ConsolePage = {
  path: "/audit",
  title: "Audit log",
  nav: "Audit log",
  scope: "admin",
  async show(visit) {
    const { call, query, root } = visit
    const list = await showFound(
      query,
      ["action", "thing", "principal", "account", "since", "until"],
      (asked) => call.listAudit({ query: { ...asked, ...inUtc(asked) } }),
      async ({ value, next }) =>
        html`${await auditTable(visit, value, html`There is no such entry. <a href="${root}/audit">Show all</a>`)}${pager(visit, next)}`,
    )
    return html`<h1>Audit log</h1>
<p class="soft">Every change of credentials, roles, plans, webhooks, applications and people, and every refused sign-in. Times can be combined
with one of the other filters.</p>
${searchForm(visit, controls)}
${list}`
  },
}

const controls = [
  { kind: "choice", name: "action", label: "What", choices: asChoices(auditActions) },
  { kind: "text", name: "thing", label: "To what, such as key:7", maxLength: 64 },
  { kind: "text", name: "principal", label: "Who, such as user:3", maxLength: 64 },
  { kind: "text", name: "account", label: "Account, by id", maxLength: 16 },
  { kind: "time", name: "since", label: "From (UTC)" },
  { kind: "time", name: "until", label: "Before (UTC)" },
] as const

/** What a control for a time says is without a zone. */
const inUtc = (asked: Record<string, string | number>) =>
  Object.fromEntries(
    ["since", "until"].flatMap((name) =>
      asked[name] === undefined
        ? []
        : [
            [
              name,
              String(asked[name]).replace(
                /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?$/,
                (_, minute, seconds = ":00") => `${minute}${seconds}Z`,
              ),
            ],
          ],
    ),
  )
