import { JsonResponse } from "../../kernel/json-response.ts"
import type { Context, Refuse } from "../context.ts"
import type { Repositories } from "../ports.ts"
import type { Pet, PetReplacement } from "./contract.ts"
import { composePet, type LabelIds, labelsOf, petEventData } from "./rules.ts"
import type { StoredPet } from "./store.ts"

/** What the verbs that change a pet have in common: find it first, record and announce it last. */
type Changing = Pick<Context, "ifMatch"> & { refuse: Refuse<"pet-not-found" | "precondition-failed"> }

type Pinned = Pick<Context, "clock"> & { refuse: Refuse<"pet-has-open-order"> }

/** The pet as it is, held until the transaction ends; refused when it is absent or not as `If-Match` wants it. */
export async function lockPet(ctx: Changing, tx: Repositories, id: number): Promise<Pet> {
  const { pet, etag } = (await tx.pets.lock(id)) ?? ctx.refuse("pet-not-found", "Pet not found")
  if (ctx.ifMatch !== undefined && ctx.ifMatch !== "*" && !ctx.ifMatch.includes(etag))
    ctx.refuse("precondition-failed", `The pet has changed: its ETag is now ${etag}`)
  return pet
}

/** Stores the changed pet and announces it; a status that is not given stays, and an open order holds it as it is. */
export async function updatePet(ctx: Pinned, tx: Repositories, found: Pet, wanted: PetReplacement) {
  const status = wanted.status ?? found.status
  if (status !== found.status) await requireUnpinned(ctx, tx, found.id)
  const pet = composePet(wanted, found.id, status, await findLabelIds(tx, labelsOf(wanted)))
  return savePet(ctx, tx, pet)
}

/** Stores a pet whose status is as it was and announces it. */
export async function savePet(ctx: Pick<Context, "clock">, tx: Repositories, pet: Pet) {
  const stored = await tx.pets.put(pet)
  await tx.events.add("pet.updated", petEventData(pet), ctx.clock.now())
  return petResponse(stored)
}

/** An open order pins its pet: nobody else may change its status or delete it. */
export async function requireUnpinned(ctx: Pinned, tx: Repositories, petId: number): Promise<void> {
  if ((await tx.orders.openFor(petId)) !== undefined)
    ctx.refuse("pet-has-open-order", "The pet has an order that is not delivered yet")
}

export async function findLabelIds(
  tx: Repositories,
  names: { categories: string[]; tags: string[] },
): Promise<LabelIds> {
  return { categories: await tx.pets.categoryIds(names.categories), tags: await tx.pets.tagIds(names.tags) }
}

export const petResponse = ({ json, etag }: StoredPet) => new JsonResponse(json, { etag })
