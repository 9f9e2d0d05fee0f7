import { failedPrecondition } from "../../kernel/network/preconditions.ts"
import type { ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import type { LockedPet } from "./store.ts"

/**
 * The pet, locked until the transaction ends; refused when it is absent, does not meet the conditions of the request, or is damaged and
 * neither replaced nor deleted.
 */
export async function lockPet(
  ctx: ContextPart<"preconditions", "pet-not-found" | "precondition-failed">,
  tx: Repositories,
  id: number,
  which?: "or-damaged",
): Promise<LockedPet> {
  const found = (await tx.pets.lock(id, which)) ?? ctx.refuse("pet-not-found")
  const failed = failedPrecondition(ctx.preconditions, found.etag)
  if (failed !== undefined) ctx.refuse("precondition-failed", failed)
  return found
}

/** Refuses a change of a pet with an open order, which determines its status and prevents its deletion. */
export async function requireNoOpenOrder(
  ctx: ContextPart<never, "pet-has-open-order">,
  tx: Repositories,
  petId: number,
): Promise<void> {
  if ((await tx.orders.openFor(petId)) !== undefined)
    ctx.refuse("pet-has-open-order", "The pet has an order that is not delivered yet")
}
