import type { ContextPart } from "../context.ts"
import type { PetStatus } from "../pets/contract.ts"
import { savePet } from "../pets/save-pet.ts"
import type { Repositories } from "../ports/store.ts"
import type { LockedOrder } from "./store.ts"

/** Sets the status of the pet that an order reserves. Such an order prevents its deletion, but copied data may lack the pet. */
export async function setPetStatus(
  ctx: ContextPart<"clock">,
  tx: Repositories,
  { order: { petId }, reservesPet }: LockedOrder,
  status: PetStatus,
) {
  const found = reservesPet ? await tx.pets.lock(petId) : undefined
  if (found && found.pet.status !== status) await savePet(ctx, tx, { ...found.pet, status }, found)
}
