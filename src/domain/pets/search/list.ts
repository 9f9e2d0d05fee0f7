import { startOf } from "../../../kernel/endpoint/page.ts"
import type { Verb } from "../../context.ts"
import { chooseList } from "./rules.ts"

export const listPets: Verb<"listPets"> = (ctx, { query, page }) => {
  const filter = ctx.accept(chooseList(query, page.sort))
  const cursor = ctx.accept(startOf(page, filter.sort))
  return ctx.store.pets.list(filter, { limit: page.limit, cursor })
}
