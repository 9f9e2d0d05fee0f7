import type { Verb } from "../context.ts"
import { lockPet, requireNoOpenOrder } from "./lock-pet.ts"
import { petChangeData } from "./times.ts"

export const deletePet: Verb<"deletePet"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const { pet, times } = await lockPet(ctx, tx, params.petId)
    await requireNoOpenOrder(ctx, tx, pet.id)

    await tx.pets.remove(pet.id)
    await tx.events.add("pet.deleted", petChangeData(pet, times), ctx.clock.now())
    return { code: 200, type: "success", message: "Pet deleted" }
  })
