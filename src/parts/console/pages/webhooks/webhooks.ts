import { html } from "../../../site/pages/html.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { tablePage } from "../list-page.ts"
import { webhookBadges } from "./webhook-badges.ts"

export const webhooksPage = tablePage({
  path: "/webhooks",
  title: "Webhooks",
  scope: "manage:webhooks",
  heading: ({ root, mayGo }) => ({
    links: html`<a href="${root}/webhooks/new">Create a webhook</a>${mayGo("/receiver") && html`<a class="quiet" href="${root}/receiver">Receiver</a>`}<a class="quiet" href="${root}/webhooks/signatures">Check a signature</a>`,
  }),
  intro: () =>
    html`<p class="soft">The service sends signed events to each webhook and retries failed deliveries for three days.</p>`,
  find: ({ call }, query) => call.listWebhooks({ query }),
  columns: (visit) => [
    {
      title: "URL",
      kind: "name",
      isHead: true,
      cell: ({ id, url }) => html`<a href="${visit.root}/webhooks/${id}">${url}</a>`,
    },
    { title: "Description", kind: "name", cell: ({ description }) => description ?? "" },
    { title: "State", kind: "badge", cell: (webhook) => webhookBadges(visit, webhook) },
    { title: "Failing since", kind: "time", cell: ({ failingSince }) => timeAgo(visit, failingSince) },
    { title: "Events", kind: "text", cell: ({ events }) => (events.includes("*") ? "all" : events.join(", ")) },
  ],
  empty: ({ root }) => html`You have no webhooks yet. <a href="${root}/webhooks/new">Create the first one</a>.`,
})
