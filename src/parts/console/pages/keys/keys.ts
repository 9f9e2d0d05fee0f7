import type { ShownKey } from "../../../../core/domain/keys/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { tablePage } from "../list-page.ts"
import { keyState } from "./key-state.ts"

export const keysPage = tablePage({
  path: "/keys",
  title: "Keys",
  scope: "manage:keys",
  heading: ({ root }) => ({ links: html`<a href="${root}/keys/new">Create a key</a>` }),
  intro: () =>
    html`<p class="soft">Programs send a key in the header <code>api_key</code>. Their requests count against your account’s plan.</p>`,
  find: ({ call }, query) => call.listKeys({ query }),
  columns: (visit) => [
    {
      title: "Name",
      kind: "name",
      isHead: true,
      cell: ({ id, name }) => html`<a href="${visit.root}/keys/${id}">${name}</a>`,
    },
    { title: "State", kind: "badge", cell: (key) => badge(keyState(key, visit.service.now())) },
    { title: "Last used", kind: "time", cell: ({ lastUsedAt }) => timeAgo(visit, lastUsedAt, "never") },
    { title: "Expires", kind: "time", cell: ({ expiresAt }) => timeAgo(visit, expiresAt, "never") },
    { title: "Scopes", kind: "text", cell: ({ scopes }) => scopesOf(scopes) },
  ],
  empty: ({ root }) => html`You have no keys yet. <a href="${root}/keys/new">Create the first one</a>.`,
})

const scopesOf = (scopes: ShownKey["scopes"]) => html`${scopes.map((scope) => html`<code>${scope}</code> `)}`
