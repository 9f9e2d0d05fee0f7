import type { Order, OrderStatus } from "../../../../domain/orders/contract.ts"
import { html, type Markup } from "../../html.ts"
import { actionButton } from "../../parts/action-button.ts"
import { apiRequest } from "../../parts/api-request.ts"
import { badge } from "../../parts/badge.ts"
import { confirm } from "../../parts/confirm.ts"
import { heading } from "../../parts/heading.ts"
import { petPicture } from "../../parts/pet-picture.ts"
import { timeWithAge } from "../../parts/time.ts"
import { type Action, type ConsolePage, isByStaff, type Visit } from "../page.ts"
import { findPet } from "./order-pet.ts"

export const orderPage: ConsolePage = {
  path: "/orders/:orderId",
  title: "Order",
  scope: "read:orders",
  async show(visit) {
    const { call, root } = visit
    const called = await call.getOrderById({ params: { orderId: idOf(visit) } })
    const { value: order } = called
    const pet = await findPet(call, order.petId)
    return html`${heading(visit, {
      back: { to: "/orders", label: isByStaff(visit) ? "All orders" : "Your orders" },
      picture: pet && petPicture(pet, { root: `${root}/..` }),
      title: `Order ${order.id}`,
      badge: badge(order.status),
    })}
<dl class="record">
<dt>Pet</dt><dd>${pet ? html`<a href="${root}/pets/${pet.id}">${pet.name}</a>` : `${order.petId} (deleted)`}</dd>
<dt>Quantity</dt><dd>${order.quantity}</dd>
<dt>Ships</dt><dd>${timeWithAge(visit, order.shipDate, "no date")}</dd>
</dl>
${visit.scopes.has("write:orders") && steps(visit, order, pet?.name ?? "the pet")}
${apiRequest(visit, called)}`
  },
  actions: {
    approve: moveTo("approved"),
    deliver: moveTo("delivered"),
    async cancel(visit) {
      await visit.call.deleteOrder({ params: { orderId: idOf(visit) } })
      return { to: "/orders", notice: `Order ${idOf(visit)} was deleted` }
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.orderId)

function moveTo(status: OrderStatus): Action {
  return async (visit) => {
    await visit.call.patchOrder({ params: { orderId: idOf(visit) }, body: { status } })
    return { to: `/orders/${idOf(visit)}`, notice: `Order ${idOf(visit)} is ${status}` }
  }
}

function steps(visit: Visit, { id, status }: Order, pet: string): Markup {
  const step = (action: string, label: string) => html`<div>${actionButton(visit, { action, label })}</div>`
  const end = (word: string, what: string) =>
    confirm(visit, {
      summary: `${word} this order…`,
      warning: `The order is permanently deleted; ${what}.`,
      action: "cancel",
      label: `${word} order ${id}`,
    })
  return html`${isByStaff(visit) && status === "placed" && step("approve", "Approve")}
${isByStaff(visit) && status === "approved" && step("deliver", "Mark as delivered")}
${status === "delivered" ? end("Delete", `${pet} remains sold`) : end("Cancel", `${pet} becomes available again`)}`
}
