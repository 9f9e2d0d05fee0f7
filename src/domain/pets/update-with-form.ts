import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { lockPet } from "./lock-pet.ts"
import { changePet } from "./save-pet.ts"

export const updatePetWithForm: Operation<typeof pets.updatePetWithForm> = (ctx, { params, query }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, params.petId)

    return changePet(ctx, tx, found, { ...found, ...query })
  })
