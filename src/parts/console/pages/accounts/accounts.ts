import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { tablePage } from "../list-page.ts"

export const accountsPage = tablePage({
  path: "/accounts",
  title: "Accounts",
  scope: "admin",
  heading: ({ root }) => ({ links: html`<a href="${root}/accounts/new">Open an account</a>` }),
  find: ({ call }, query) => call.listAccounts({ query }),
  columns: ({ root }) => [
    {
      title: "Account",
      kind: "name",
      isHead: true,
      cell: ({ id, name }) => html`<a href="${root}/accounts/${id}">${name}</a>`,
    },
    { title: "Plan", kind: "badge", cell: ({ plan }) => badge(plan) },
    { title: "Id", kind: "id", cell: ({ id }) => id },
  ],
  empty: () => "There are no accounts.",
})
