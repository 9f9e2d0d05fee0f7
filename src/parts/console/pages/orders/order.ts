import type { Order, OrderStatus } from "../../../../core/domain/orders/contract.ts"
import type { OrderRecord } from "../../../../core/domain/orders/records/contract.ts"
import type { Pet } from "../../../../core/domain/pets/contract.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { actionButton } from "../../../site/pages/parts/action-button.ts"
import { badge } from "../../../site/pages/parts/badge.ts"
import { confirm } from "../../../site/pages/parts/confirm.ts"
import { detail, facts } from "../../../site/pages/parts/detail.ts"
import { heading } from "../../../site/pages/parts/heading.ts"
import { petPicture } from "../../../site/pages/parts/pet-picture.ts"
import { timeWithAge } from "../../../site/pages/parts/time.ts"
import { type Action, type ConsolePage, isByStaff, type Visit } from "../page.ts"
import { apiRequest } from "../parts/api-request.ts"
import { customerOf, findPet, petOfOrder } from "./order-pet.ts"

export const orderPage: ConsolePage = {
  path: "/orders/:orderId",
  title: "Order",
  scope: "read:orders",
  async show(visit) {
    const { call } = visit
    const called = await call.getOrderRecord({ params: { orderId: idOf(visit) } })
    const { value: order } = called
    const pet = await findPet(call, order.petId)
    return html`${heading(visit, {
      back: { to: "/orders", label: isByStaff(visit) ? "All orders" : "Your orders" },
      title: `Order ${order.id}`,
      badge: badge(order.status),
    })}
${detail(
  html`${orderFacts(visit, order, pet)}
${visit.scopes.has("write:orders") && steps(visit, order, pet?.name ?? "the pet")}`,
)}
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

const orderFacts = (visit: Visit, order: OrderRecord, pet: Pet | undefined): Markup =>
  facts(
    {
      Pet: petOfOrder(visit, order, pet?.name),
      Quantity: order.quantity,
      "Ordered by": customerOf(visit, order),
      Placed: timeWithAge(visit, order.placedAt, "before times were recorded"),
      Ships: timeWithAge(visit, order.shipDate, "no date"),
    },
    pet && petPicture(pet, { root: `${visit.root}/..`, sizePx: 240 }),
  )

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
