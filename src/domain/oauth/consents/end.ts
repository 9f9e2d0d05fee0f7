import type { Operation } from "../../context.ts"
import type { consents } from "./contract.ts"
import { requirePerson } from "./rules.ts"

export const endConsent: Operation<typeof consents.endConsent> = async (ctx, { params }) => {
  const { id } = ctx.accept(requirePerson(ctx.caller))
  const ended = await ctx.store.transaction((tx) => tx.consents.end(params.id, id))
  if (!ended) ctx.refuse("consent-not-found", "Consent not found")
  ctx.credentialsChanged(ctx.caller.ownerId)
  return { code: 200, type: "success", message: "Consent ended" }
}
