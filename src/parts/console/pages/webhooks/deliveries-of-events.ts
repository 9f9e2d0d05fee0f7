import { eventKinds } from "../../../../core/domain/events/contract.ts"
import type { Delivery } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import type { Call } from "../../../site/serving/call.ts"
import type { Visit } from "../page.ts"

const deliveriesShown = 10
/** The newest webhooks, and deliveries of each, that are searched: none is indexed by event. */
const [webhooksSearched, deliveriesSearched] = [10, 100]

/** The newest deliveries of these events; `visit.call` and `visit.root` may be those of another store. */
export async function deliveriesOf(
  { call, ...visit }: Pick<Visit, "root" | "service"> & { call: Pick<Call, "listWebhooks" | "listDeliveries"> },
  eventIds: ReadonlySet<string>,
): Promise<Markup> {
  const { value: webhooks } =
    eventIds.size > 0 ? await call.listWebhooks({ query: { limit: webhooksSearched } }) : { value: [] }
  const lists = await Promise.all(
    webhooks.map(({ id }) => call.listDeliveries({ params: { webhookId: id }, query: { limit: deliveriesSearched } })),
  )
  const nameOf = new Map(webhooks.map(({ id, description, url }) => [id, description || withoutQuery(url)]))
  return table<Delivery>({
    caption: "Deliveries of these events",
    columns: [
      {
        title: "Event",
        kind: "text",
        isHead: true,
        cell: ({ id, webhookId, event }) =>
          html`<a href="${visit.root}/webhooks/${webhookId}/deliveries/${id}">${eventKinds[event].summary}</a>`,
      },
      { title: "Webhook", kind: "name", cell: ({ webhookId }) => nameOf.get(webhookId) ?? "" },
      { title: "State", kind: "badge", cell: ({ state }) => badge(state) },
      { title: "Created", kind: "time", cell: ({ createdAt }) => timeAgo(visit, createdAt) },
    ],
    rows: lists
      .flatMap(({ value }) => value.filter(({ eventId }) => eventIds.has(eventId)))
      .sort((one, other) => other.id - one.id)
      .slice(0, deliveriesShown),
    empty: "These events were sent to no webhook.",
  })
}

/** A query may contain a secret of the receiver. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/, "")
