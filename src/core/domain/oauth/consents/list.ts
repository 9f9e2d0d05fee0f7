import { mapPage } from "../../../kernel/endpoint/page.ts"
import type { Verb } from "../../context.ts"
import { requirePerson, showConsent } from "./rules.ts"

export const listConsents: Verb<"listConsents"> = async (ctx, { page }) => {
  const { id } = ctx.accept(requirePerson(ctx.caller))
  return mapPage(await ctx.store.consents.list(id, ctx.clock.now(), page), showConsent)
}
