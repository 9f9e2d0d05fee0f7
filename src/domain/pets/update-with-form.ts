import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { locked, recorded } from "./steps.ts"

export const updatePetWithForm: Operation<typeof pets.updatePetWithForm> = (ctx, { params, query }) =>
  ctx.store.transaction(async (tx) => {
    const found = await locked(ctx, tx, params.petId)

    return recorded(ctx, tx, found, { ...found, ...query })
  })
