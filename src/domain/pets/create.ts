import type { Verb } from "../context.ts"
import { addDraft, takenId } from "./add.ts"
import { petResponse } from "./pet-response.ts"

export const addPet: Verb<"addPet"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const added = (await addDraft(ctx, tx, body)) ?? ctx.refuse("pet-exists", takenId(body.id))
    return petResponse(added.stored)
  })
