import { addUnderId } from "../add-under-id.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet, PetDraft } from "./contract.ts"
import { composePet, type LabelIds, petEventData } from "./rules.ts"
import type { StatusCounts, StoredPet } from "./store.ts"

type Labelled = { draft: PetDraft; labels: LabelIds }
type Added = { pet: Pet; stored: StoredPet }

/** Adds a pet, whose labels have these ids; undefined when its id is taken. */
export const addDraft = (
  tx: Repositories,
  { draft, labels }: Labelled,
  uncounted?: StatusCounts,
): Promise<Added | undefined> =>
  addUnderId(draft.id, tx.pets.nextId, async (id) => {
    const pet = composePet(draft, id, draft.status ?? "available", labels)
    const stored = await tx.pets.add(pet, uncounted)
    return stored && { pet, stored }
  })

export const announceAdded = ({ clock }: ContextPart<"clock">, tx: Repositories, { pet }: Added): Promise<number> =>
  tx.events.add("pet.created", petEventData(pet), clock.now())

export const takenId = (id: number | undefined): string => `A pet with the id ${id} already exists`
