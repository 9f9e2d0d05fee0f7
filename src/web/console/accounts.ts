import type { Account } from "../../domain/accounts/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { pager } from "../parts/pager.ts"
import { table } from "../parts/table.ts"
import { showFound } from "./find.ts"
import type { ConsolePage } from "./page.ts"

/** Who owns things, and how many requests each may make. */
export const accountsPage: ConsolePage = {
  path: "/accounts",
  title: "Accounts",
  nav: "Accounts",
  scope: "admin",
  async show(visit) {
    const { call, query, root } = visit
    const list = await showFound(
      query,
      [],
      (asked) => call.listAccounts({ query: asked }),
      ({ value, next }) => html`${accounts(root, value)}${pager(visit, next)}`,
    )
    return html`<div class="heading"><h1>Accounts</h1>
<p class="actions"><a href="${root}/accounts/new">Open an account</a></p></div>
${list}`
  },
}

const accounts = (root: string, rows: Account[]): Markup =>
  table({
    caption: "Accounts",
    columns: [
      { title: "Account", cell: ({ id, name }) => html`<a href="${root}/accounts/${id}">${name}</a>` },
      { title: "Plan", cell: ({ plan }) => badge(plan) },
      { title: "Id", cell: ({ id }) => id, isNumber: true },
    ],
    rows,
    empty: "There is none.",
  })
