import type { PageText } from "../../../kernel/endpoint/page.ts"
import { type Awaitable, andThen } from "../../../kernel/flow/awaitable.ts"
import { fromJson, json } from "../../../kernel/json/json.ts"
import { listAs } from "../../../kernel/json/kept-text.ts"
import type { ContextPart, Verb } from "../../context.ts"
import type { Pet } from "../contract.ts"
import { findPets } from "../search/find.ts"
import { choosePage } from "../search/rules.ts"
import type { PetTimes } from "../store.ts"
import { formatTimes } from "../times.ts"
import { PetRecord } from "./contract.ts"

export const listPetRecords: Verb<"listPetRecords"> = (ctx, { query, page }) =>
  andThen(ctx, findPets(ctx, ctx.accept(choosePage(query, page))), pageOfRecords)

/** A page of pets with the times of their changes. */
export const pageOfRecords = <Next>(
  { store }: ContextPart<"store">,
  page: PageText<Pet[], Next>,
): Awaitable<PageText<PetRecord[], Next>> => {
  const records = listAs<Pet, PetRecord>(page, PetRecord, (pets) =>
    andThen(pets, store.pets.times(pets.map(({ id }) => id)), (pets, times) =>
      pets.map((pet) => json(toRecord(pet, times))),
    ),
  )
  return andThen(page, records, (page, records) => ({ ...page, ...records }))
}

export const getPetRecord: Verb<"getPetRecord"> = async (ctx, { params }) => {
  const { json } = (await ctx.store.pets.read(params.petId)) ?? ctx.refuse("pet-not-found")
  return toRecord(fromJson(json), await ctx.store.pets.times([params.petId]))
}

const toRecord = (pet: Pet, times: ReadonlyMap<number, PetTimes>): PetRecord => ({
  ...pet,
  ...formatTimes(times.get(pet.id) ?? {}),
})
