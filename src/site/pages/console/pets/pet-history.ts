import { eventKinds } from "../../../../domain/events/contract.ts"
import type { Delivery } from "../../../../domain/webhooks/deliveries/contract.ts"
import { html, type Markup } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { table } from "../../parts/table.ts"
import { timeAgo } from "../../parts/time.ts"
import { eventTable } from "../events/event-table.ts"
import { isAboutPet } from "../events/pet-of-event.ts"
import type { Visit } from "../page.ts"

const [rowsShown, deliveriesShown] = [5, 10]
/** The newest events, webhooks, and deliveries of each webhook that are searched: none is indexed by pet. */
const [eventsSearched, webhooksSearched, deliveriesSearched] = [1000, 10, 100]

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
${await deliveries(visit, new Set(events.map(({ id }) => id)))}`
}

async function deliveries({ call, ...visit }: Visit, eventIds: ReadonlySet<string>): Promise<Markup> {
  const { value: webhooks } =
    eventIds.size > 0 ? await call.listWebhooks({ query: { limit: webhooksSearched } }) : { value: [] }
  const lists = await Promise.all(
    webhooks.map(({ id }) => call.listDeliveries({ params: { webhookId: id }, query: { limit: deliveriesSearched } })),
  )
  const nameOf = new Map(webhooks.map(({ id, description, url }) => [id, description || url]))
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

const all = ({ root }: Visit, path: string, what: string): Markup =>
  html`<a href="${root}${path}">All ${what} of this pet</a>`
