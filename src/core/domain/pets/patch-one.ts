import type { JsonResponse } from "../../kernel/endpoint/json-response.ts"
import { at } from "../../kernel/problem.ts"
import type { Context, ContextPart } from "../context.ts"
import type { Repositories } from "../ports/store.ts"
import { type Pet, type PetPatch, PetReplacement } from "./contract.ts"
import { lockPet } from "./lock-pet.ts"
import { unchangedPet } from "./pet-response.ts"
import { applyPatch, asksForChange } from "./rules.ts"
import { changePet } from "./save-pet.ts"

type PatchProblem = "pet-not-found" | "precondition-failed" | "pet-has-open-order" | "invalid-body"

/** Applies a merge patch to a pet and emits an event; refused before anything is changed. */
export async function patchOne(
  ctx: ContextPart<"clock" | "preconditions", PatchProblem> & Pick<Context, "valid">,
  tx: Repositories,
  petId: number,
  patch: PetPatch,
): Promise<JsonResponse<Pet>> {
  const found = await lockPet(ctx, tx, petId)
  const { pet } = found
  if (patch.id !== undefined && patch.id !== pet.id)
    ctx.refuse("invalid-body", at("/id", "immutable", `is ${pet.id} and cannot be changed`))
  if (!asksForChange(patch)) return unchangedPet(tx, pet)
  const wanted = ctx.valid(PetReplacement, applyPatch(pet, patch))

  return changePet(ctx, tx, found, wanted)
}
