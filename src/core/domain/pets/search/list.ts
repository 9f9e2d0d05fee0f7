import type { Verb } from "../../context.ts"
import { findPets } from "./find.ts"
import { choosePage } from "./rules.ts"

export const listPets: Verb<"listPets"> = (ctx, { query, page }) => findPets(ctx, ctx.accept(choosePage(query, page)))
