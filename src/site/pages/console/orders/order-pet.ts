import type { Order } from "../../../../domain/orders/contract.ts"
import type { Pet } from "../../../../domain/pets/contract.ts"
import { type Call, valueUnless } from "../call.ts"

/** The pet of a delivered order may have been deleted. */
export async function petNames(call: Call, orders: readonly Order[]): Promise<(petId: number) => string> {
  const ids = [...new Set(orders.map(({ petId }) => petId))]
  const names = new Map(await Promise.all(ids.map(async (id) => [id, (await findPet(call, id))?.name] as const)))
  return (petId) => names.get(petId) ?? `${petId} (deleted)`
}

export const findPet = (call: Call, petId: number): Promise<Pet | undefined> =>
  valueUnless("pet-not-found", call.getPetById({ params: { petId } }))
