import { addUnderId } from "../add-under-id.ts"
import type { Verb } from "../context.ts"
import { petResponse } from "./pet-response.ts"
import { composePet, labelsOf, petEventData } from "./rules.ts"
import { findLabelIds } from "./save-pet.ts"

export const addPet: Verb<"addPet"> = (ctx, { body }) =>
  ctx.store.transaction(async (tx) => {
    const ids = await findLabelIds(tx, labelsOf(body))
    const added = await addUnderId(body.id, tx.pets.nextId, async (id) => {
      const pet = composePet(body, id, body.status ?? "available", ids)
      const stored = await tx.pets.add(pet)
      return stored && { pet, stored }
    })

    const { pet, stored } = added ?? ctx.refuse("pet-exists", `A pet with the id ${body.id} already exists`)
    await tx.events.add("pet.created", petEventData(pet), ctx.clock.now())
    return petResponse(stored)
  })
