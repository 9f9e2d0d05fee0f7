import type { ContextPart } from "../context.ts"
import type { PetStatus } from "../pets/contract.ts"
import { savePet } from "../pets/save-pet.ts"
import type { LockedPet } from "../pets/store.ts"
import type { Repositories } from "../ports/store.ts"
import type { Order } from "./contract.ts"

/** Sets the status of an order's pet, which exists because open orders prevent its deletion. */
export async function setPetStatus(ctx: ContextPart<"clock">, tx: Repositories, { petId }: Order, status: PetStatus) {
  const found = (await tx.pets.lock(petId)) as LockedPet
  if (found.pet.status !== status) await savePet(ctx, tx, { ...found.pet, status }, found)
}
