import { json } from "../../../kernel/json/json.ts"
import { JsonResponse } from "../../../kernel/json/json-response.ts"
import type { Operation } from "../../context.ts"
import type { consents } from "./contract.ts"
import { requirePerson, showConsent } from "./rules.ts"

export const listConsents: Operation<typeof consents.listConsents> = async (ctx, { page }) => {
  const { id } = ctx.accept(requirePerson(ctx.caller))
  const { items, next } = await ctx.store.consents.list(id, ctx.clock.now(), page)
  return new JsonResponse(json(items.map(showConsent)), { next })
}
