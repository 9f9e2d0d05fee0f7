import { fromJson, json } from "../../../kernel/json/json.ts"
import type { Verb } from "../../context.ts"
import type { Pet } from "../contract.ts"
import { findPets } from "../search/find.ts"
import { choosePage } from "../search/rules.ts"
import type { PetTimes } from "../store.ts"
import { formatTimes } from "../times.ts"
import type { PetRecord } from "./contract.ts"

export const listPetRecords: Verb<"listPetRecords"> = async (ctx, { query, page }) => {
  const found = await findPets(ctx, ctx.accept(choosePage(query, page)))
  const pets = fromJson(found.json)
  const times = await ctx.store.pets.times(pets.map(({ id }) => id))
  return { ...found, json: json(pets.map((pet) => toRecord(pet, times))) }
}

export const getPetRecord: Verb<"getPetRecord"> = async (ctx, { params }) => {
  const { json } = (await ctx.store.pets.read(params.petId)) ?? ctx.refuse("pet-not-found")
  return toRecord(fromJson(json), await ctx.store.pets.times([params.petId]))
}

const toRecord = (pet: Pet, times: ReadonlyMap<number, PetTimes>): PetRecord => ({
  ...pet,
  ...formatTimes(times.get(pet.id) ?? {}),
})
