import type { Verb } from "../../context.ts"
import { requirePerson } from "./rules.ts"

export const endConsent: Verb<"endConsent"> = async (ctx, { params }) => {
  const { id, accountId } = ctx.accept(requirePerson(ctx.caller))
  await ctx.store.transaction(async (tx) => {
    if (!(await tx.consents.end(params.id, id))) ctx.refuse("consent-not-found")
    ctx.audit("consent.ended", `consent:${params.id}`)
  })
  ctx.credentialsChanged(accountId)
  return { code: 200, type: "success", message: "Consent ended" }
}
