import type { PetDraft } from "../core/domain/pets/contract.ts"
import type { PetstoreClient } from "./petstore-client.ts"

/** The kinds of events that operations on a pet cause. */
export const triggerable: readonly string[] = [
  "pet.created",
  "pet.updated",
  "pet.deleted",
  "order.placed",
  "order.approved",
  "order.delivered",
  "order.cancelled",
]

/** Causes an event with a new pet; describes each operation. */
export async function* triggerEvent(
  event: string,
  fields: Partial<PetDraft>,
  client: Pick<PetstoreClient, "addPet" | "patchPet" | "deletePet" | "placeOrder" | "deleteOrder" | "patchOrder">,
): AsyncGenerator<string, void> {
  const pet = { name: "Triggered", photoUrls: [], ...fields }
  const petId = (await client.addPet({ body: pet })).value.id
  yield `created pet ${petId}`
  if (event === "pet.updated") {
    await client.patchPet({ params: { petId }, body: { name: `${pet.name} again` } })
    yield `renamed pet ${petId}`
  }
  if (event === "pet.deleted") {
    await client.deletePet({ params: { petId } })
    yield `deleted pet ${petId}`
  }
  if (event.startsWith("pet.")) return

  const orderId = (await client.placeOrder({ body: { petId } })).value.id
  yield `placed order ${orderId} for pet ${petId}`
  if (event === "order.cancelled") {
    await client.deleteOrder({ params: { orderId } })
    yield `cancelled order ${orderId}`
  }
  for (const status of stepsTo[event] ?? []) {
    await client.patchOrder({ params: { orderId }, body: { status } })
    yield `${status} order ${orderId}`
  }
}

const stepsTo: Record<string, readonly ("approved" | "delivered")[]> = {
  "order.approved": ["approved"],
  "order.delivered": ["approved", "delivered"],
}
