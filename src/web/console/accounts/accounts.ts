import { html } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { tablePage } from "../list-page.ts"

export const accountsPage = tablePage({
  path: "/accounts",
  title: "Accounts",
  scope: "admin",
  heading: ({ root }) => ({ links: html`<a href="${root}/accounts/new">Open an account</a>` }),
  find: ({ call }, query) => call.listAccounts({ query }),
  columns: ({ root }) => [
    { title: "Account", cell: ({ id, name }) => html`<a href="${root}/accounts/${id}">${name}</a>` },
    { title: "Plan", cell: ({ plan }) => badge(plan) },
    { title: "Id", cell: ({ id }) => id, isNumber: true },
  ],
  empty: () => "There are no accounts.",
})
