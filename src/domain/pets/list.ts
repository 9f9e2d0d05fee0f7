import { andThen } from "../../kernel/flow/awaitable.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { pets } from "./contract.ts"
import type { PetPage } from "./store.ts"

export const findPetsByStatus: Operation<typeof pets.findPetsByStatus> = (ctx, { query, page }) =>
  andThen(undefined, ctx.store.pets.byStatus(query.status, page), pageResponse)

export const findPetsByTags: Operation<typeof pets.findPetsByTags> = (ctx, { query, page }) =>
  andThen(undefined, ctx.store.pets.byTags(query.tags, page), pageResponse)

const pageResponse = (_: undefined, { json, next }: PetPage) => new JsonResponse(json, { next })
