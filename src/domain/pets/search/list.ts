import { startOf } from "../../../kernel/endpoint/page.ts"
import { countedMax, withTotal } from "../../../kernel/endpoint/total.ts"
import type { Verb } from "../../context.ts"
import { chooseList } from "./rules.ts"

export const listPets: Verb<"listPets"> = (ctx, { query, page }) => {
  const filter = ctx.accept(chooseList(query, page.sort))
  const cursor = ctx.accept(startOf(page, filter.sort))
  const found = ctx.store.pets.list(filter, { limit: page.limit, cursor })
  return ctx.wantsTotal ? withTotal(found, ctx.store.pets.total(filter, countedMax)) : found
}
