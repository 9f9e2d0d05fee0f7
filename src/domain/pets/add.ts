import { addUnderId } from "../add-under-id.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { PetDraft } from "./contract.ts"
import { composePet, labelsOf, petEventData } from "./rules.ts"
import { findLabelIds } from "./save-pet.ts"
import type { StoredPet } from "./store.ts"

/** Adds a pet and emits an event; undefined when its id is taken. */
export async function addDraft(
  { clock }: ContextPart<"clock">,
  tx: Repositories,
  draft: PetDraft,
): Promise<{ id: number; stored: StoredPet } | undefined> {
  const ids = await findLabelIds(tx, labelsOf(draft))
  const added = await addUnderId(draft.id, tx.pets.nextId, async (id) => {
    const pet = composePet(draft, id, draft.status ?? "available", ids)
    const stored = await tx.pets.add(pet)
    return stored && { pet, stored }
  })
  if (!added) return undefined
  await tx.events.add("pet.created", petEventData(added.pet), clock.now())
  return { id: added.pet.id, stored: added.stored }
}

export const takenId = (id: number | undefined): string => `A pet with the id ${id} already exists`
