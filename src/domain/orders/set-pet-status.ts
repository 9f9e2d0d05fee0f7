import type { Part } from "../context.ts"
import type { Pet, PetStatus } from "../pets/contract.ts"
import { savePet } from "../pets/save-pet.ts"
import type { LockedPet } from "../pets/store.ts"
import type { Repositories } from "../ports/store.ts"

/** Gives the pet of an order the status that follows from it, and announces that. */
export async function setPetStatus(ctx: Part<"clock">, tx: Repositories, pet: Pet, status: PetStatus): Promise<void> {
  if (pet.status !== status) await savePet(ctx, tx, { ...pet, status })
}

/** The pet of an open order, which is there because the order pins it, held until the transaction ends. */
export async function lockPetOf(tx: Repositories, { petId }: { petId: number }): Promise<Pet> {
  const { pet } = (await tx.pets.lock(petId)) as LockedPet
  return pet
}
