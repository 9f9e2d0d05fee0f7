import { type Attempt, type Delivery, DeliveryState } from "../../../domain/webhooks/deliveries/contract.ts"
import { html, type Markup } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import { time } from "../../parts/time.ts"
import { showList } from "../list-page.ts"
import type { Visit } from "../page.ts"
import { outcomeOf } from "./attempt-words.ts"

/** The deliveries of a webhook, of one state when the address says so. */
export async function deliveryList(visit: Visit, webhookId: number): Promise<Markup> {
  const { query, root, path } = visit
  const state = states.find((each) => each === query.get("state"))
  const list = await showList(visit, {
    find: ({ call }, asked) =>
      call.listDeliveries({ params: { webhookId }, query: { ...asked, ...(state && { state: [state] }) } }),
    show: (_, rows) => deliveryTable(visit, { webhookId, state, rows }),
  })
  return html`<nav class="choices" aria-label="Deliveries by state">${[undefined, ...states].map(
    (each) =>
      html`<a href="${root}${path}${each === undefined ? "" : `?state=${each}`}"${each === state && html` aria-current="true"`}>${each ?? "all"}</a>`,
  )}</nav>
${list}`
}

type Deliveries = { webhookId: number; state: string | undefined; rows: Delivery[] }

const deliveryTable = ({ root }: Visit, { webhookId, state, rows }: Deliveries): Markup =>
  table({
    caption: "Deliveries",
    columns: [
      {
        title: "Event",
        cell: ({ id, event }) =>
          html`<a class="whole" href="${root}/webhooks/${webhookId}/deliveries/${id}">${event}</a>`,
      },
      { title: "State", cell: (each) => badge(each.state) },
      { title: "Last attempt", cell: ({ lastAttempt }) => lastOf(lastAttempt) },
      { title: "Attempts", cell: ({ attempts }) => attempts, isNumber: true, isMinor: true },
      { title: "Next", cell: (each) => nextOf(each), isMinor: true },
      { title: "Since", cell: ({ createdAt }) => time(createdAt), isMinor: true },
    ],
    rows,
    empty: state === undefined ? "Nothing has been sent yet. Send a test, or add a pet." : `No delivery is ${state}.`,
  })

const states = DeliveryState.enum

const lastOf = (attempt: Attempt | undefined) => (attempt ? outcomeOf(attempt) : "none yet")

const nextOf = ({ nextAttemptAt }: Delivery) => (nextAttemptAt === undefined ? "" : time(nextAttemptAt))
