import type { Json } from "../../kernel/json.ts"
import { jsonArray } from "../../kernel/json.ts"
import { JsonResponse } from "../../kernel/json-response.ts"
import type { PageOf } from "../../kernel/page.ts"
import type { Operation } from "../context.ts"
import type { Pet, pets } from "./contract.ts"

export const findPetsByStatus: Operation<typeof pets.findPetsByStatus> = async (ctx, { query, page }) =>
  pageResponse(await ctx.store.pets.byStatus(query.status, page))

export const findPetsByTags: Operation<typeof pets.findPetsByTags> = async (ctx, { query, page }) =>
  pageResponse(await ctx.store.pets.byTags(query.tags, page))

const pageResponse = ({ items, next }: PageOf<Json<Pet>>) => new JsonResponse(jsonArray(items), { next })
