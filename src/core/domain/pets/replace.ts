import type { Verb } from "../context.ts"
import { lockPet } from "./lock-pet.ts"
import { changePet } from "./save-pet.ts"

export const updatePet: Verb<"updatePet"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, body.id, "or-damaged")

    return changePet(ctx, tx, found, body)
  })
