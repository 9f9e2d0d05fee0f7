import type { Verb } from "../context.ts"
import { roles } from "../scopes.ts"
import { requireUser, toUserRole } from "./rules.ts"
import { withdrawCredentialsBeyond } from "./withdraw-credentials.ts"

export const grantRole: Verb<"grantRole"> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireUser(await tx.users.lock(params.username), ctx.caller))
    const user = { ...found.user, role: params.role }

    await tx.users.put({ ...found, user })
    ctx.audit("user.role-changed", `user:${user.id}`, { details: { from: found.user.role, to: user.role } })
    await withdrawCredentialsBeyond(ctx, tx, found, roles[params.role])
    return toUserRole(user)
  })
