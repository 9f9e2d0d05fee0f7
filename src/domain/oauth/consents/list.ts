import { json } from "../../../kernel/json.ts"
import { Reply } from "../../../kernel/json-response.ts"
import type { Operation } from "../../context.ts"
import type { consents } from "./contract.ts"
import { personIn, shown } from "./rules.ts"

export const listConsents: Operation<typeof consents.listConsents> = async (ctx, { page }) => {
  const { id } = ctx.accept(personIn(ctx.caller))
  const { items, next } = await ctx.store.consents.list(id, ctx.clock.now(), page)
  return new Reply(json(items.map(shown)), { next })
}
