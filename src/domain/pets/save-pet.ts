import { together } from "../../kernel/flow/together.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { Pet, PetReplacement } from "./contract.ts"
import { requireNoOpenOrder } from "./lock-pet.ts"
import { petResponse } from "./pet-response.ts"
import { composePet, type LabelIds, labelsOf, petEventData } from "./rules.ts"

/** Updates a pet and emits an event. An omitted status is kept; with an open order it cannot change. */
export async function changePet(
  ctx: ContextPart<"clock", "pet-has-open-order">,
  tx: Repositories,
  found: Pet,
  wanted: PetReplacement,
) {
  const status = wanted.status ?? found.status
  if (status !== found.status) await requireNoOpenOrder(ctx, tx, found.id)
  const pet = composePet(wanted, found.id, status, await findLabelIds(tx, labelsOf(wanted)))
  return savePet(ctx, tx, pet, found)
}

/** Stores a pet, which was `before` when it was locked, and emits an event. Does not check for open orders. */
export async function savePet(ctx: ContextPart<"clock">, tx: Repositories, pet: Pet, before: Pet) {
  const [stored] = await together([
    () => tx.pets.put(pet, before),
    () => tx.events.add("pet.updated", petEventData(pet), ctx.clock.now()),
  ])
  return petResponse(stored)
}

/** The ids of the names of one pet, creating missing ones. Its one category comes before its tags, so that no two pets block each other. */
async function findLabelIds(tx: Repositories, names: { categories: string[]; tags: string[] }): Promise<LabelIds> {
  const [categories, tags] = await together([
    () => tx.pets.categoryIds(names.categories),
    () => tx.pets.tagIds(names.tags),
  ])
  return { categories, tags }
}
