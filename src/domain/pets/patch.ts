import { at } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { PetReplacement } from "./contract.ts"
import { lockPet } from "./lock-pet.ts"
import { unchangedPet } from "./pet-response.ts"
import { applyPatch, asksForChange } from "./rules.ts"
import { changePet } from "./save-pet.ts"

export const patchPet: Verb<"patchPet"> = (ctx, { params, body }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, params.petId)
    const { pet } = found
    if (body.id !== undefined && body.id !== pet.id)
      ctx.refuse("invalid-body", at("/id", "immutable", `is ${pet.id} and cannot be changed`))
    if (!asksForChange(body)) return unchangedPet(tx, pet)
    const wanted = ctx.valid(PetReplacement, applyPatch(pet, body))

    return changePet(ctx, tx, found, wanted)
  })
