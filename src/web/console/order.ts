import type { Order, OrderStatus } from "../../domain/orders/contract.ts"
import { html, type Markup } from "../html.ts"
import { badge } from "../parts/badge.ts"
import { confirm } from "../parts/confirm.ts"
import { failureNotice } from "../parts/failure.ts"
import { postForm } from "../parts/post-form.ts"
import { time } from "../parts/time.ts"
import { findPet } from "./order-pet.ts"
import { type Action, type ConsolePage, isStaff, type Visit } from "./page.ts"
import { petPicture } from "./pet-picture.ts"

/** An order: what it is of, and its next step. */
export const orderPage: ConsolePage = {
  path: "/orders/:orderId",
  title: "Order",
  scope: "read:orders",
  async show(visit) {
    const { call, root } = visit
    const { value: order } = await call.getOrderById({ params: { orderId: idOf(visit) } })
    const pet = await findPet(call, order.petId)
    return html`<p class="back"><a href="${root}/orders">${isStaff(visit) ? "All orders" : "Your orders"}</a></p>
<div class="heading">${pet && petPicture(root, pet)}<h1>Order ${order.id}</h1>
${badge(order.status)}</div>
${failureNotice(visit.failure)}
<dl class="record">
<dt>Pet</dt><dd>${pet ? html`<a href="${root}/pets/${pet.id}">${pet.name}</a>` : `${order.petId}, deleted since`}</dd>
<dt>Quantity</dt><dd>${order.quantity}</dd>
<dt>Ships</dt><dd>${order.shipDate === undefined ? "no date" : html`${time(order.shipDate)} UTC`}</dd>
</dl>
${visit.scopes.has("write:orders") && steps(visit, order, pet?.name ?? "the pet")}`
  },
  actions: {
    approve: moveTo("approved"),
    deliver: moveTo("delivered"),
    cancel: {
      async run(visit) {
        await visit.call.deleteOrder({ params: { orderId: idOf(visit) } })
        return { to: "/orders", notice: `Order ${idOf(visit)} is gone` }
      },
    },
  },
}

const idOf = ({ params }: Visit): number => Number(params.orderId)

function moveTo(status: OrderStatus): Action {
  return {
    async run(visit) {
      await visit.call.patchOrder({ params: { orderId: idOf(visit) }, body: { status } })
      return { to: `/orders/${idOf(visit)}`, notice: `Order ${idOf(visit)} is ${status}` }
    },
  }
}

function steps(visit: Visit, { id, status }: Order, pet: string): Markup {
  const step = (action: string, word: string) => postForm(visit, html`<button>${word}</button>`, { action })
  const end = (word: string, what: string) =>
    confirm(
      `${word} this order…`,
      `The order goes for good; ${what}.`,
      postForm(visit, html`<button class="danger">${word} order ${id}</button>`, { action: "cancel" }),
    )
  return html`${isStaff(visit) && status === "placed" && html`<div>${step("approve", "Approve")}</div>`}
${isStaff(visit) && status === "approved" && html`<div>${step("deliver", "Mark as delivered")}</div>`}
${status === "delivered" ? end("Delete", `${pet} stays sold`) : end("Cancel", `${pet} is available again`)}`
}
