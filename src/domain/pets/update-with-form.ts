import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { lockPet, updatePet } from "./steps.ts"

export const updatePetWithForm: Operation<typeof pets.updatePetWithForm> = (ctx, { params, query }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, params.petId)

    return updatePet(ctx, tx, found, { ...found, ...query })
  })
