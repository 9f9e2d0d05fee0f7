import type { Verb } from "../context.ts"
import { confirmPerson, recheckProof } from "./confirmation.ts"
import { renameAccount } from "./rename-account.ts"
import { checkUndocumented, requireChangeableUser } from "./rules.ts"
import { signOutEverywhere, withdrawCredentialsBeyond } from "./withdraw-credentials.ts"

export const deleteUser: Verb<"deleteUser"> = async (ctx, { params, body }) => {
  ctx.accept(requireChangeableUser(await ctx.store.users.byName(params.username), ctx.caller))
  const proof = ctx.accept(await confirmPerson(ctx, body?.currentPassword))

  return ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireChangeableUser(await tx.users.lock(params.username), ctx.caller))
    ctx.accept(await recheckProof(ctx.caller, proof, tx))
    ctx.accept(checkUndocumented(found.user, ctx.knownPeople))

    await signOutEverywhere(ctx, tx, found)
    await withdrawCredentialsBeyond(ctx, tx, found, [])
    await tx.users.erase(found.user.id)
    const { id, username } = found.user
    await renameAccount(tx, { accountId: found.accountId, from: username, to: `user ${id}` })
    ctx.audit("user.deleted", `user:${id}`)
    return { code: 200, type: "success", message: "User deleted" }
  })
}
