import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { lockPet } from "./lock-pet.ts"
import { updatePet } from "./save-pet.ts"

export const replacePet: Operation<typeof pets.replacePet> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, body.id)

    return updatePet(ctx, tx, found, body)
  })
