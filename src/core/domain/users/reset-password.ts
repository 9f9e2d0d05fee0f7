import { invalidBody } from "../../kernel/problem.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { confirmPerson, recheckProof } from "./confirmation.ts"
import type { StoredUser } from "./model.ts"
import { checkGrantable, checkUndocumented, passwordViolations, requireChangeableUser } from "./rules.ts"
import { signOutEverywhere } from "./withdraw-credentials.ts"

export const resetPassword: Verb<"resetPassword"> = async (ctx, { params, body }) => {
  if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may reset passwords")
  const requireResettable = (found: StoredUser | undefined) => {
    const stored = ctx.accept(requireChangeableUser(found, ctx.caller))
    if (stored.user.role === "admin") ctx.refuse("role-missing", "An admin's password cannot be reset")
    return stored
  }
  requireResettable(await ctx.store.users.byName(params.username))
  ctx.accept(invalidBody(passwordViolations("/password", body.password, ctx.policy)))
  const proof = ctx.accept(await confirmPerson(ctx, body.currentPassword))
  const passwordHash = await ctx.passwords.hash(body.password)

  const userId = await ctx.store.transaction(async (tx) => {
    const found = requireResettable(await tx.users.lock(params.username))
    ctx.accept(checkUndocumented(found.user, ctx.knownPeople))
    ctx.accept(checkGrantable(found.user.role, ctx.caller.scopes))
    ctx.accept(await recheckProof(ctx.caller, proof, tx))

    await tx.users.put({ ...found, passwordHash })
    await signOutEverywhere(ctx, tx, found)
    ctx.audit("password.reset", `user:${found.user.id}`)
    return found.user.id
  })
  ctx.log("password reset", { userId })
  return { code: 200, type: "success", message: "Password reset" }
}
