import { addUnderId } from "../add-under-id.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet, PetDraft } from "./contract.ts"
import { composePet, type LabelIds, petEventData } from "./rules.ts"
import type { StatusCounts, StoredPet } from "./store.ts"

/** A draft whose labels have these ids, and when it is added (ms). */
type Labelled = { draft: PetDraft; labels: LabelIds; at: number }
type Added = { pet: Pet; stored: StoredPet; at: number }

/** Adds a pet; undefined when its id is taken. */
export const addDraft = (
  tx: Repositories,
  { draft, labels, at }: Labelled,
  uncounted?: StatusCounts,
): Promise<Added | undefined> =>
  addUnderId(draft.id, tx.pets.nextId, async (id) => {
    const pet = composePet(draft, id, draft.status ?? "available", labels)
    const stored = await tx.pets.add(pet, at, uncounted)
    return stored && { pet, stored, at }
  })

export const announceAdded = (tx: Repositories, { pet, at }: Added): Promise<number> =>
  tx.events.add("pet.created", petEventData(pet), at)

export const takenId = (id: number | undefined): string => `A pet with the id ${id} already exists`
