import type { Json } from "../../kernel/json.ts"
import { jsonArray } from "../../kernel/json.ts"
import { Reply } from "../../kernel/json-response.ts"
import type { PageOf } from "../../kernel/page.ts"
import type { Operation } from "../context.ts"
import type { Pet, pets } from "./contract.ts"

export const findPetsByStatus: Operation<typeof pets.findPetsByStatus> = async (ctx, { query, page }) =>
  listed(await ctx.store.pets.byStatus(query.status, page))

export const findPetsByTags: Operation<typeof pets.findPetsByTags> = async (ctx, { query, page }) =>
  listed(await ctx.store.pets.byTags(query.tags, page))

const listed = ({ items, next }: PageOf<Json<Pet>>) => new Reply(jsonArray(items), { next })
