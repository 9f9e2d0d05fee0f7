import { type OrderStatus, orderStatuses } from "../../../../core/domain/orders/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { asChoices, newestFirst } from "../../../site/pages/parts/search-form.ts"
import { timeAgo } from "../../../site/pages/parts/time.ts"
import { bulkAction } from "../bulk.ts"
import { tablePage } from "../list-page.ts"
import { isByStaff } from "../page.ts"
import { customerOf, petNames, petOfOrder } from "./order-pet.ts"

export const ordersPage = tablePage({
  path: "/orders",
  title: "Orders",
  scope: "read:orders",
  heading: (visit) => ({
    title: isByStaff(visit) ? "Orders" : "Your orders",
    links: visit.scopes.has("write:orders") && html`<a href="${visit.root}/pets?status=available">Order a pet</a>`,
  }),
  controls: [
    { kind: "choice", name: "status", label: "Status", choices: asChoices(orderStatuses) },
    { kind: "text", name: "petId", label: "Id of the pet", maxLength: 16 },
    newestFirst,
  ],
  find: ({ call }, query) => call.listOrderRecords({ query }),
  async columns(visit, rows) {
    const { call, root } = visit
    const nameOf = await petNames(call, rows)
    return [
      {
        title: "Order",
        kind: "id",
        isHead: true,
        cell: ({ id }) => html`<a href="${root}/orders/${id}">Order ${id}</a>`,
      },
      { title: "Pet", kind: "name", cell: (order) => petOfOrder(visit, order, nameOf(order.petId)) },
      { title: "Status", kind: "badge", cell: ({ status }) => badge(status) },
      { title: "Quantity", kind: "number", cell: ({ quantity }) => quantity },
      { title: "Ordered by", kind: "name", cell: (order) => customerOf(visit, order) },
      { title: "Placed", kind: "time", cell: ({ placedAt }) => timeAgo(visit, placedAt, "–") },
      { title: "Ships", kind: "time", cell: ({ shipDate }) => timeAgo(visit, shipDate, "–") },
    ]
  },
  bulk: (visit) =>
    visit.scopes.has("write:orders") && isByStaff(visit)
      ? { itemOf: (order) => order, nameOf: ({ id }) => `Order ${id}`, controls: bulkControls }
      : undefined,
  actions: { approve: moveTo("approved"), deliver: moveTo("delivered") },
  empty: ({ root }) => html`No orders match. <a href="${root}/pets?status=available">Order a pet</a>`,
})

const bulkControls = html`<button class="small" name="action" value="approve">Approve</button>
<button class="quiet small" name="action" value="deliver">Mark as delivered</button>`

function moveTo(status: OrderStatus) {
  return bulkAction({
    noun: "order",
    done: () => status,
    // An order has no ETag: its status moves one step at a time, so a step that was already made is refused.
    change: ({ call }, { id }) => call.patchOrder({ params: { orderId: id }, body: { status } }),
    describe: async (_, id) => ({ name: `Order ${id}`, path: `/orders/${id}` }),
  })
}
