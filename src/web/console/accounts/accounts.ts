import { html } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import { listPage } from "../list-page.ts"

/** Who owns things, and how many requests each may make. */
export const accountsPage = listPage({
  path: "/accounts",
  title: "Accounts",
  nav: "Accounts",
  scope: "admin",
  heading: ({ root }) => ({ links: html`<a href="${root}/accounts/new">Open an account</a>` }),
  find: ({ call }, query) => call.listAccounts({ query }),
  show: ({ root }, rows) =>
    table({
      caption: "Accounts",
      columns: [
        { title: "Account", cell: ({ id, name }) => html`<a href="${root}/accounts/${id}">${name}</a>` },
        { title: "Plan", cell: ({ plan }) => badge(plan) },
        { title: "Id", cell: ({ id }) => id, isNumber: true },
      ],
      rows,
      empty: "There is none.",
    }),
})
