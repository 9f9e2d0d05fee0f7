import type { Verb } from "../context.ts"
import { lockPet } from "./lock-pet.ts"
import { unchangedPet } from "./pet-response.ts"
import { contradictions } from "./rules.ts"
import { changePet } from "./save-pet.ts"

export const updatePetWithForm: Verb<"updatePetWithForm"> = (ctx, { params, query, body = {} }) =>
  ctx.store.transaction(async (tx) => {
    const twice = contradictions(query, body)
    if (twice.length > 0) ctx.refuse("invalid-parameter", twice)
    const found = await lockPet(ctx, tx, params.petId)
    const { name = query.name, status = query.status } = body
    if (name === undefined && status === undefined) return unchangedPet(tx, found.pet)

    const { pet } = found
    return changePet(ctx, tx, found, { ...pet, name: name ?? pet.name, status: status ?? pet.status })
  })
