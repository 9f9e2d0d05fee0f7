import { jsonArray } from "../../kernel/json/json.ts"
import { JsonResponse } from "../../kernel/json/json-response.ts"
import type { Operation } from "../context.ts"
import type { audit } from "./contract.ts"
import { chooseEntries } from "./rules.ts"

export const listAudit: Operation<typeof audit.listAudit> = async (ctx, { query, page }) => {
  const { items, next } = await ctx.store.audit.list(ctx.accept(chooseEntries(query)), page)
  return new JsonResponse(jsonArray(items), { next })
}
