import type { Verb } from "../context.ts"
import { addPets, takenId } from "./add.ts"
import { petResponse } from "./pet-response.ts"

export const addPet: Verb<"addPet"> = async (ctx, { body }) => {
  const added = await ctx.store.shared(addPets, { draft: body, at: ctx.clock.now() })
  return petResponse((added ?? ctx.refuse("pet-exists", takenId(body.id))).stored)
}
