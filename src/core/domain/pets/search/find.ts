import type { Cursor } from "../../../kernel/endpoint/page.ts"
import { countedMax, withTotal } from "../../../kernel/endpoint/total.ts"
import type { Awaitable } from "../../../kernel/flow/awaitable.ts"
import type { ContextPart } from "../../context.ts"
import type { PetFilter, SortedPetPage } from "../store.ts"

/** A page of the list of pets, with the total of the list if the client asks for it. */
export function findPets(
  { store, wantsTotal }: ContextPart<"store" | "wantsTotal">,
  { filter, ...page }: { filter: PetFilter; limit: number; cursor: Cursor | undefined },
): Awaitable<SortedPetPage> {
  const found = store.pets.list(filter, page)
  return wantsTotal ? withTotal(found, store.pets.total(filter, countedMax)) : found
}
