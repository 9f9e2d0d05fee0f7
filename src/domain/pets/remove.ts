import type { Verb } from "../context.ts"
import { lockPet, requireNoOpenOrder } from "./lock-pet.ts"
import { petEventData } from "./rules.ts"

export const deletePet: Verb<"deletePet"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, params.petId)
    await requireNoOpenOrder(ctx, tx, found.id)

    await tx.pets.remove(found.id)
    await tx.events.add("pet.deleted", petEventData(found), ctx.clock.now())
    return { code: 200, type: "success", message: "Pet deleted" }
  })
