import type { Verb } from "../context.ts"
import { roles } from "../scopes.ts"
import { confirmPerson, recheckProof } from "./confirmation.ts"
import { checkGrantable, checkUndocumented, isDemoted, requireUser, toUserRole } from "./rules.ts"
import { withdrawCredentialsBeyond } from "./withdraw-credentials.ts"

export const grantRole: Verb<"grantRole"> = async (ctx, { params, body }) => {
  ctx.accept(requireUser(await ctx.store.users.byName(params.username), ctx.caller))
  ctx.accept(checkGrantable(params.role, ctx.caller.scopes))
  // An admin can give themselves every right for good, so a stolen token must not make one.
  const isAsked = params.role === "admin"
  const proof = isAsked ? ctx.accept(await confirmPerson(ctx, body?.currentPassword)) : undefined

  return ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireUser(await tx.users.lock(params.username), ctx.caller))
    if (isAsked) ctx.accept(await recheckProof(ctx.caller, proof, tx))
    if (isDemoted(found.user, params.role, ctx.knownPeople)) ctx.accept(checkUndocumented(found.user, ctx.knownPeople))
    const user = { ...found.user, role: params.role }

    await tx.users.put({ ...found, user })
    ctx.audit("user.role-changed", `user:${user.id}`, { details: { from: found.user.role, to: user.role } })
    await withdrawCredentialsBeyond(ctx, tx, found, roles[params.role])
    return toUserRole(user)
  })
}
