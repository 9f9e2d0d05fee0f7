import type { Operation } from "../operation.ts"
import type { users } from "./contract.ts"
import { changeable, signOutEverywhere, withdrawBeyond } from "./steps.ts"

export const deleteUser: Operation<typeof users.deleteUser> = (ctx, { params }) =>
  ctx.store.transaction(async (tx) => {
    const found = changeable(ctx, await tx.users.lock(params.username))

    await signOutEverywhere(ctx, tx, found)
    await withdrawBeyond(ctx, tx, found, [])
    await tx.users.erase(found.user.id)
    return { code: 200, type: "success", message: "User deleted" }
  })
