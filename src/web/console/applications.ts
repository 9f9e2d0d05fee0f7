import { html } from "../html.ts"
import { pageAsked, pager } from "../parts/pager.ts"
import { table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import type { ConsolePage } from "./page.ts"

const applicationsShown = 25

/** The OAuth clients of one's account. */
export const applicationsPage: ConsolePage = {
  path: "/applications",
  title: "Applications",
  nav: "Applications",
  scope: "manage:keys",
  async show({ call, query, root, path }) {
    const { value: rows, next } = await call.listOAuthClients({ query: pageAsked(query, applicationsShown) })
    return html`<div class="heading"><h1>Applications</h1>
<p class="actions"><a href="${root}/applications/new">Register an application</a></p></div>
<p class="soft">An application (an OAuth client) acts for people who allow it to, or for itself. People see what they allowed under <a href="${root}/consents">Consents</a>.</p>
${table({
  caption: "Applications",
  columns: [
    { title: "Name", cell: ({ id, name }) => html`<a href="${root}/applications/${id}">${name}</a>` },
    { title: "Type", cell: ({ type }) => type },
    { title: "Client id", cell: ({ clientId }) => html`<code>${clientId}</code>`, isMinor: true },
    { title: "Scopes", cell: ({ scopes }) => scopes.length, isNumber: true, isMinor: true },
    { title: "Registered", cell: ({ createdAt }) => time(createdAt), isMinor: true },
  ],
  rows,
  empty: html`You have no application yet. <a href="${root}/applications/new">Register the first one</a>.`,
})}
${pager({ root, path, query }, next)}`
  },
}
