import { OrderDraft } from "../../domain/orders/contract.ts"
import { html } from "../html.ts"
import { failureNotice } from "../parts/failure.ts"
import { fieldsOf } from "../parts/fields.ts"
import { postForm } from "../parts/post-form.ts"
import { findPet } from "./order-pet.ts"
import type { ConsolePage } from "./page.ts"

/** Orders a pet. */
export const newOrderPage: ConsolePage = {
  path: "/orders/new",
  title: "Place an order",
  scope: "write:orders",
  async show(visit) {
    const petId = Number(visit.query.get("petId") ?? "")
    const pet = Number.isSafeInteger(petId) && petId > 0 ? await findPet(visit.call, petId) : undefined
    return html`<p class="back"><a href="${visit.root}/orders">Orders</a></p>
<h1>${pet ? `Order ${pet.name}` : "Place an order"}</h1>
${failureNotice(visit.failure)}
${postForm(
  visit,
  html`${fields.render({ values: { quantity: 1, ...(pet && { petId }) }, failure: visit.failure })}
<button>Place the order</button>`,
  { action: "place" },
)}`
  },
  actions: {
    place: {
      async run({ call }, form) {
        const { value: order } = await call.placeOrder({ body: fields.read(form) })
        return { to: `/orders/${order.id}`, notice: `Order ${order.id} was placed` }
      },
    },
  },
}

const fields = fieldsOf(OrderDraft, {
  petId: { label: "Id of the pet", hint: "It must be available. Its page has the id, and a way here." },
  quantity: { label: "Quantity" },
  shipDate: { label: "To be shipped", hint: "Day and time in UTC." },
})
