import { html } from "../../../site/pages/html.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { tablePage } from "../list-page.ts"

export const applicationsPage = tablePage({
  path: "/applications",
  title: "Applications",
  scope: "manage:keys",
  heading: ({ root }) => ({ links: html`<a href="${root}/applications/new">Register an application</a>` }),
  intro: ({ root }) =>
    html`<p class="soft">An application (OAuth client) acts on behalf of users who give their consent, or on its own behalf. Users manage their consents under <a href="${root}/consents">Consents</a>.</p>`,
  find: ({ call }, query) => call.listOAuthClients({ query }),
  columns: (visit) => [
    {
      title: "Name",
      kind: "name",
      isHead: true,
      cell: ({ id, name }) => html`<a href="${visit.root}/applications/${id}"><bdi>${name}</bdi></a>`,
    },
    { title: "Type", kind: "text", cell: ({ type }) => type },
    { title: "Client id", kind: "code", cell: ({ clientId }) => html`<code>${clientId}</code>` },
    { title: "Scopes", kind: "number", cell: ({ scopes }) => scopes.length },
    { title: "Registered", kind: "time", cell: ({ createdAt }) => timeAgo(visit, createdAt) },
  ],
  empty: ({ root }) =>
    html`You have no applications yet. <a href="${root}/applications/new">Register the first one</a>.`,
})
