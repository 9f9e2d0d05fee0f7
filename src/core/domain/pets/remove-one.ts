import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { lockPet, requireNoOpenOrder } from "./lock-pet.ts"
import { petChangeData } from "./times.ts"

type RemovalProblem = "pet-not-found" | "precondition-failed" | "pet-has-open-order"

/** Deletes a pet and emits an event; refused before anything is changed. */
export async function removeOne(
  ctx: ContextPart<"clock" | "preconditions", RemovalProblem>,
  tx: Repositories,
  petId: number,
): Promise<void> {
  const { pet, times } = await lockPet(ctx, tx, petId, "or-damaged")
  await requireNoOpenOrder(ctx, tx, pet.id)

  await tx.pets.remove(pet.id)
  await tx.events.add("pet.deleted", petChangeData(pet, times), ctx.clock.now())
}
