import { html, type Markup } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { table } from "../../../site/pages/parts/table.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { eventTable } from "../events/event-table.ts"
import { isAboutPet } from "../events/pet-of-event.ts"
import type { Visit } from "../page.ts"
import { deliveriesOf } from "../webhooks/deliveries-of-events.ts"

const rowsShown = 5
/** The newest events that are searched: they are not indexed by pet. */
const eventsSearched = 1000

/** The newest orders, events and webhook deliveries of a pet, as far as the visitor may see them. */
export const petHistory = async (visit: Visit, petId: number): Promise<Markup> => html`
${visit.scopes.has("read:orders") && (await orders(visit, petId))}
${visit.scopes.has("manage:webhooks") && (await eventsAndDeliveries(visit, petId))}`

async function orders(visit: Visit, petId: number): Promise<Markup> {
  const { value: rows, next } = await visit.call.listOrders({ query: { petId, limit: rowsShown } })
  return html`<div class="heading"><h2>Orders</h2>${next !== undefined && all(visit, `/orders?petId=${petId}`, "orders")}</div>
${table({
  caption: "Orders of this pet",
  columns: [
    {
      title: "Order",
      kind: "id",
      isHead: true,
      cell: ({ id }) => html`<a href="${visit.root}/orders/${id}">Order ${id}</a>`,
    },
    { title: "Status", kind: "badge", cell: ({ status }) => badge(status) },
    { title: "Quantity", kind: "number", cell: ({ quantity }) => quantity },
    { title: "Ships", kind: "time", cell: ({ shipDate }) => timeAgo(visit, shipDate, "no date") },
  ],
  rows,
  empty: "There are no orders of this pet.",
})}`
}

async function eventsAndDeliveries(visit: Visit, petId: number): Promise<Markup> {
  const { value } = await visit.call.listEvents({ query: { sort: "-id", limit: eventsSearched } })
  const found = value.filter((event) => isAboutPet(event, petId))
  const events = found.slice(0, rowsShown)
  const among = value.length < eventsSearched ? "" : ` among the latest ${eventsSearched} events`
  const mayBeMore = found.length > rowsShown || among !== ""
  return html`<div class="heading"><h2>Events</h2>${mayBeMore && all(visit, `/events?petId=${petId}`, "events")}</div>
${eventTable(visit, events, `There are no events of this pet${among}.`)}
<div class="heading"><h2>Deliveries</h2><a href="${visit.root}/webhooks">All webhooks</a></div>
${await deliveriesOf(visit, new Set(events.map(({ id }) => id)))}`
}

const all = ({ root }: Visit, path: string, what: string): Markup =>
  html`<a href="${root}${path}">All ${what} of this pet</a>`
