import { at } from "../../kernel/problem.ts"
import type { Operation } from "../operation.ts"
import type { users } from "./contract.ts"
import { nameViolations, replaced } from "./rules.ts"
import { changeable, nameTaken, requireNone, signOutEverywhere } from "./steps.ts"

export const replaceUser: Operation<typeof users.replaceUser> = async (ctx, { params, body }) => {
  const { user } = changeable(ctx, await ctx.store.users.byName(params.username))
  requireNone(ctx, nameViolations("/username", body.username))
  if (body.id && body.id !== user.id) ctx.refuse("invalid-body", at("/id", "immutable", "cannot be changed"))
  const newHash = body.password === undefined ? undefined : await ctx.passwords.hash(body.password)

  return ctx.store.transaction(async (tx) => {
    const found = changeable(ctx, await tx.users.lock(params.username))
    const user = replaced(found.user, body)
    const namesake = await tx.users.byName(user.username)
    if (namesake && namesake.user.id !== user.id) ctx.refuse("user-exists", nameTaken(user.username))

    await tx.users.put({ ...found, user, passwordHash: newHash ?? found.passwordHash })
    if (newHash !== undefined) await signOutEverywhere(ctx, tx, found)
    ctx.credentialsChanged(found.accountId)
    return user
  })
}
