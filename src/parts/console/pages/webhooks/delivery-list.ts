import { DeliveryState } from "../../../../core/domain/webhooks/deliveries/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { showList } from "../list-page.ts"
import type { Visit } from "../page.ts"
import { outcomeOf } from "./attempt-words.ts"

const states = DeliveryState.enum

export async function deliveryList(visit: Visit, webhookId: number): Promise<Markup> {
  const { query, root, path } = visit
  const state = states.find((each) => each === query.get("state"))
  const list = await showList(visit, {
    find: ({ call }, page) =>
      call.listDeliveries({ params: { webhookId }, query: { ...page, ...(state && { state: [state] }) } }),
    show: (_, rows) =>
      table({
        caption: "Deliveries",
        columns: [
          {
            title: "Event",
            kind: "code",
            isHead: true,
            cell: ({ id, event }) => html`<a href="${root}/webhooks/${webhookId}/deliveries/${id}">${event}</a>`,
          },
          { title: "State", kind: "badge", cell: (each) => badge(each.state) },
          {
            title: "Last attempt",
            kind: "text",
            cell: ({ lastAttempt }) => (lastAttempt ? outcomeOf(lastAttempt) : "none yet"),
          },
          { title: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
          { title: "Next", kind: "time", cell: ({ nextAttemptAt }) => timeAgo(visit, nextAttemptAt) },
          { title: "Created", kind: "time", cell: ({ createdAt }) => timeAgo(visit, createdAt) },
        ],
        rows,
        empty: state
          ? `There are no ${state} deliveries.`
          : "There are no deliveries yet. Send a test event, or add a pet.",
      }),
  })
  return html`<nav class="choices" aria-label="Deliveries by state">${[undefined, ...states].map(
    (each) =>
      html`<a href="${root}${path}${each === undefined ? "" : `?state=${each}`}"${each === state && html` aria-current="true"`}>${each ?? "all"}</a>`,
  )}</nav>
${list}`
}
