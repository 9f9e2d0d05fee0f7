import type { Verb } from "../context.ts"
import { checkPrivate, checkRevocable, requireKey } from "./rules.ts"

export const revokeKey: Verb<"revokeKey"> = async (ctx, { params }) => {
  await ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireKey(await tx.keys.lock(params.id), ctx.caller))
    const { id, accountId } = ctx.accept(checkRevocable(found, ctx.caller.scopes))
    ctx.accept(checkPrivate(found, ctx.knownKeys))

    await tx.keys.revoke(id, accountId, ctx.clock.now())
    ctx.credentialsChanged(accountId)
    ctx.audit("key.revoked", `key:${id}`)
  })
  return { id: params.id, revoked: true }
}
