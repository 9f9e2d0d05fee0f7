import { addUnderId } from "../add-under-id.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { PetDraft } from "./contract.ts"
import { composePet, type LabelIds, petEventData } from "./rules.ts"
import type { StatusCounts, StoredPet } from "./store.ts"

type Labelled = { draft: PetDraft; labels: LabelIds }

/** Adds a pet, whose labels have these ids, and emits an event; undefined when its id is taken. */
export async function addDraft(
  { clock }: ContextPart<"clock">,
  tx: Repositories,
  { draft, labels }: Labelled,
  uncounted?: StatusCounts,
): Promise<{ id: number; stored: StoredPet } | undefined> {
  const added = await addUnderId(draft.id, tx.pets.nextId, async (id) => {
    const pet = composePet(draft, id, draft.status ?? "available", labels)
    const stored = await tx.pets.add(pet, uncounted)
    return stored && { pet, stored }
  })
  if (!added) return undefined
  await tx.events.add("pet.created", petEventData(added.pet), clock.now())
  return { id: added.pet.id, stored: added.stored }
}

export const takenId = (id: number | undefined): string => `A pet with the id ${id} already exists`
