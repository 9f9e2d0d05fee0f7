import type { Verb } from "../context.ts"
import { addDraft, announceAdded, takenId } from "./add.ts"
import { petResponse } from "./pet-response.ts"
import { labelsOf } from "./rules.ts"
import { findLabelIds } from "./save-pet.ts"

export const addPet: Verb<"addPet"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const labels = await findLabelIds(tx, labelsOf(body))
    const added =
      (await addDraft(tx, { draft: body, labels, at: ctx.clock.now() })) ?? ctx.refuse("pet-exists", takenId(body.id))
    await announceAdded(tx, added)
    return petResponse(added.stored)
  })
