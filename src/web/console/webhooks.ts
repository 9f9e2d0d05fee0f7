import { html } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { pageAsked, pager } from "../parts/pager.ts"
import { table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import type { ConsolePage } from "./page.ts"

const webhooksShown = 25

/** The webhooks of one's account, and how each does. */
export const webhooksPage: ConsolePage = {
  path: "/webhooks",
  title: "Webhooks",
  nav: "Webhooks",
  scope: "manage:webhooks",
  async show({ call, query, root, path }) {
    const { value: rows, next } = await call.listWebhooks({ query: pageAsked(query, webhooksShown) })
    return html`<div class="heading"><h1>Webhooks</h1>
<p class="actions"><a href="${root}/webhooks/new">Create a webhook</a><a href="${root}/webhooks/signatures">Check a signature</a></p></div>
<p class="soft">What happens here is posted to each of them, signed, and tried again for three days.</p>
${table({
  caption: "Webhooks",
  columns: [
    {
      title: "Where",
      cell: ({ id, url, description }) => html`<a href="${root}/webhooks/${id}">${url}</a>
${description !== undefined && html`<br><span class="soft">${description}</span>`}`,
    },
    { title: "State", cell: ({ status }) => badge(status) },
    {
      title: "Failing since",
      cell: ({ failingSince }) => (failingSince === undefined ? "" : time(failingSince)),
      isMinor: true,
    },
    { title: "Events", cell: ({ events }) => (events.includes("*") ? "every kind" : events.join(", ")), isMinor: true },
  ],
  rows,
  empty: html`You have no webhook yet. <a href="${root}/webhooks/new">Create the first one</a>.`,
})}
${pager({ root, path, query }, next)}`
  },
}
