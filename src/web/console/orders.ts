import { type Order, orderStatuses } from "../../domain/orders/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { pager } from "../parts/pager.ts"
import { asChoices, searchForm } from "../parts/search-form.ts"
import { table } from "../parts/table.ts"
import { time } from "../parts/time.ts"
import { showFound } from "./find.ts"
import { petNames } from "./order-pet.ts"
import { type ConsolePage, isStaff, type Visit } from "./page.ts"

/** The orders: for staff all of them, for a customer their own. */
export const ordersPage: ConsolePage = {
  path: "/orders",
  title: "Orders",
  nav: "Orders",
  scope: "read:orders",
  async show(visit) {
    const { call, query, root, scopes } = visit
    const list = await showFound(
      query,
      ["status", "petId", "sort"],
      (asked) => call.listOrders({ query: asked }),
      async ({ value, next }) => html`${await orders(visit, value)}${pager(visit, next)}`,
    )
    return html`<div class="heading"><h1>${isStaff(visit) ? "Orders" : "Your orders"}</h1>
${scopes.has("write:orders") && html`<p class="actions"><a href="${root}/orders/new">Place an order</a></p>`}</div>
${searchForm(visit, controls)}
${list}`
  },
}

const controls = [
  { kind: "choice", name: "status", label: "Status", choices: asChoices(orderStatuses) },
  { kind: "text", name: "petId", label: "Id of the pet", maxLength: 16 },
  {
    kind: "choice",
    name: "sort",
    label: "Sorted",
    choices: { "-id": "Newest first", id: "Oldest first" },
    none: "As usual",
  },
] as const

async function orders({ call, root }: Visit, rows: Order[]): Promise<Markup> {
  const nameOf = await petNames(call, rows)
  return table({
    caption: "Orders",
    columns: [
      { title: "Order", cell: ({ id }) => html`<a href="${root}/orders/${id}">Order ${id}</a>` },
      { title: "Pet", cell: ({ petId }) => nameOf(petId) },
      { title: "Status", cell: ({ status }) => badge(status) },
      { title: "Quantity", cell: ({ quantity }) => quantity, isNumber: true, isMinor: true },
      { title: "Ships (UTC)", cell: ({ shipDate }) => (shipDate === undefined ? "" : time(shipDate)), isMinor: true },
    ],
    rows,
    empty: html`No order is like this. <a href="${root}/pets?status=available">Look for a pet to order</a>`,
  })
}
