import type { Operation } from "../context.ts"
import { confirm, stillHolds } from "./confirmation.ts"
import type { users } from "./contract.ts"
import { changeable, signOutEverywhere, withdrawBeyond } from "./steps.ts"

export const deleteUser: Operation<typeof users.deleteUser> = async (ctx, { params, body }) => {
  changeable(ctx, await ctx.store.users.byName(params.username))
  const proof = ctx.accept(await confirm(ctx, body?.currentPassword))

  return ctx.store.transaction(async (tx) => {
    const found = changeable(ctx, await tx.users.lock(params.username))
    ctx.accept(await stillHolds(ctx.caller, proof, tx))

    await signOutEverywhere(ctx, tx, found)
    await withdrawBeyond(ctx, tx, found, [])
    await tx.users.erase(found.user.id)
    return { code: 200, type: "success", message: "User deleted" }
  })
}
