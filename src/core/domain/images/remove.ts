import type { Verb } from "../context.ts"
import { lockPet } from "../pets/lock-pet.ts"
import { savePet } from "../pets/save-pet.ts"
import { removeImage } from "./rules.ts"

export const deletePetImage: Verb<"deletePetImage"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = await lockPet(ctx, tx, params.petId)

    await savePet(ctx, tx, ctx.accept(removeImage(found.pet, params.sha256)), found)
    return { code: 200, type: "success", message: "Image deleted" }
  })
