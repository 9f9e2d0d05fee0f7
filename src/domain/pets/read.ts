import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import { petResponse } from "./pet-response.ts"

export const getPetById: Operation<typeof pets.getPetById> = async (ctx, { params }) =>
  petResponse((await ctx.store.pets.read(params.petId)) ?? ctx.refuse("pet-not-found", "Pet not found"))
