import { orderStatuses } from "../../../domain/orders/contract.ts"
import { html } from "../../html.ts"
import { badge } from "../../parts/badge.ts"
import { asChoices, newestFirst } from "../../parts/search-form.ts"
import { timeAgo } from "../../parts/time.ts"
import { tablePage } from "../list-page.ts"
import { isByStaff } from "../page.ts"
import { petNames } from "./order-pet.ts"

export const ordersPage = tablePage({
  path: "/orders",
  title: "Orders",
  scope: "read:orders",
  heading: (visit) => ({
    title: isByStaff(visit) ? "Orders" : "Your orders",
    links: visit.scopes.has("write:orders") && html`<a href="${visit.root}/orders/new">Place an order</a>`,
  }),
  controls: [
    { kind: "choice", name: "status", label: "Status", choices: asChoices(orderStatuses) },
    { kind: "text", name: "petId", label: "Id of the pet", maxLength: 16 },
    newestFirst,
  ],
  find: ({ call }, query) => call.listOrders({ query }),
  async columns(visit, rows) {
    const { call, root } = visit
    const nameOf = await petNames(call, rows)
    return [
      { title: "Order", cell: ({ id }) => html`<a href="${root}/orders/${id}">Order ${id}</a>` },
      { title: "Pet", cell: ({ petId }) => nameOf(petId) },
      { title: "Status", cell: ({ status }) => badge(status) },
      { title: "Quantity", cell: ({ quantity }) => quantity, isNumber: true, isMinor: true },
      { title: "Ships", cell: ({ shipDate }) => timeAgo(visit, shipDate), isMinor: true },
    ]
  },
  empty: ({ root }) => html`No orders match. <a href="${root}/pets?status=available">Find a pet to order</a>`,
})
