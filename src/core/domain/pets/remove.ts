import type { Verb } from "../context.ts"
import { removeOne } from "./remove-one.ts"

export const deletePet: Verb<"deletePet"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    await removeOne(ctx, tx, params.petId)
    return { code: 200, type: "success", message: "Pet deleted" }
  })
