import { html } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import { time } from "../../parts/time.ts"
import { listPage } from "../list-page.ts"

/** The webhooks of one's account, and how each does. */
export const webhooksPage = listPage({
  path: "/webhooks",
  title: "Webhooks",
  nav: "Webhooks",
  scope: "manage:webhooks",
  heading: ({ root }) => ({
    links: html`<a href="${root}/webhooks/new">Create a webhook</a><a href="${root}/webhooks/signatures">Check a signature</a>`,
  }),
  intro: () =>
    html`<p class="soft">What happens here is posted to each of them, signed, and tried again for three days.</p>`,
  find: ({ call }, query) => call.listWebhooks({ query }),
  show: ({ root }, rows) =>
    table({
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
        {
          title: "Events",
          cell: ({ events }) => (events.includes("*") ? "every kind" : events.join(", ")),
          isMinor: true,
        },
      ],
      rows,
      empty: html`You have no webhook yet. <a href="${root}/webhooks/new">Create the first one</a>.`,
    }),
})
