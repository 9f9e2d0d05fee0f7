import { OrderDraft } from "../../../../core/domain/orders/contract.ts"
import { html } from "../../../site/pages/html.ts"
import { petPicture } from "../../../site/pages/parts/pet-picture.ts"
import { formPage } from "../form-page.ts"
import { fieldsOf } from "../parts/fields.ts"
import { findPet } from "./order-pet.ts"

export const newOrderPage = formPage({
  path: "/orders/new",
  title: "Place an order",
  scope: "write:orders",
  async about({ call, query, root }) {
    const petId = Number(query.get("petId") ?? "")
    const pet = Number.isSafeInteger(petId) && petId > 0 ? await findPet(call, petId) : undefined
    return {
      title: pet ? `Order ${pet.name}` : "Place an order",
      values: { quantity: 1, ...(pet && { petId }) },
      intro: pet
        ? html`<p>${petPicture(pet, { root: `${root}/..` })} Pet ${pet.id} is <strong>${pet.status}</strong>.</p>`
        : html`<p><a href="${root}/pets?status=available">Choose an available pet</a>: its page leads here.</p>`,
      button: "Place the order",
    }
  },
  action: "place",
  fields: fieldsOf(OrderDraft, {
    id: { hidden: "the service chooses it" },
    petId: {
      label: "Id of the pet",
      hint: "The pet must be available.",
    },
    quantity: { label: "Quantity" },
    shipDate: { label: "Ship date", hint: "Date and time in UTC." },
    status: { hidden: "the service sets it" },
    complete: { hidden: "the service sets it" },
  }),
  async submit({ call }, body) {
    const { value: order } = await call.placeOrder({ body })
    return { to: `/orders/${order.id}`, notice: `Order ${order.id} was placed` }
  },
})
