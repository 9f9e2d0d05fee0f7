import { at, invalidBody } from "../../kernel/problem.ts"
import type { Verb } from "../context.ts"
import { nameTaken } from "./add-user.ts"
import { confirmPerson, isPasswordOf, recheckProof } from "./confirmation.ts"
import type { UserReplacement } from "./contract.ts"
import { renameAccount } from "./rename-account.ts"
import {
  changedFields,
  checkUndocumented,
  nameViolations,
  passwordViolations,
  replaceProfile,
  requireChangeableUser,
  takesOver,
  toUser,
} from "./rules.ts"
import { signOutEverywhere } from "./withdraw-credentials.ts"

export const updateUser: Verb<"updateUser"> = async (ctx, { params, body }) => {
  const { user } = ctx.accept(requireChangeableUser(await ctx.store.users.byName(params.username), ctx.caller))
  ctx.accept(invalidBody(nameViolations("/username", body.username)))
  if (body.id && body.id !== user.id) ctx.refuse("invalid-body", at("/id", "immutable", "cannot be changed"))
  const { password, ...others } = body
  const isOwn = ctx.caller.user?.id === user.id
  if (password !== undefined && !isOwn && !ctx.accept(await isPasswordOf(ctx, user, password)))
    ctx.refuse("session-required", notYours)
  const wanted: UserReplacement = isOwn ? body : others
  // Classic clients send the whole record back: the unchanged password is valid proof and no change.
  const oldPassword = wanted.currentPassword ?? wanted.password
  const newPassword = wanted.password === oldPassword ? undefined : wanted.password
  ctx.accept(invalidBody(passwordViolations("/password", newPassword, ctx.policy)))
  const proof = takesOver(user, wanted) ? ctx.accept(await confirmPerson(ctx, oldPassword)) : undefined
  const newHash = newPassword === undefined ? undefined : await ctx.passwords.hash(newPassword)

  return ctx.store.transaction(async (tx) => {
    const found = ctx.accept(requireChangeableUser(await tx.users.lock(params.username), ctx.caller))
    if (takesOver(found.user, wanted)) ctx.accept(await recheckProof(ctx.caller, proof, tx))
    const user = replaceProfile(found.user, wanted)
    if (newHash !== undefined || user.username !== found.user.username)
      ctx.accept(checkUndocumented(found.user, ctx.knownPeople))
    const namesake = await tx.users.byName(user.username)
    if (namesake && namesake.user.id !== user.id) ctx.refuse("user-exists", nameTaken(user.username))

    await tx.users.put({ ...found, user, passwordHash: newHash ?? found.passwordHash })
    if (user.username !== found.user.username)
      await renameAccount(tx, { accountId: found.accountId, from: found.user.username, to: user.username })
    ctx.credentialsChanged(found.accountId)
    ctx.audit("user.changed", `user:${user.id}`, { details: { fields: changedFields(found.user, user).join(" ") } })
    if (newHash === undefined) return toUser(user)
    await signOutEverywhere(ctx, tx, found)
    ctx.audit("password.changed", `user:${user.id}`)
    return toUser(user)
  })
}

const notYours =
  "Only the person can change their password, in a session; staff reset it with POST /user/{username}/password-reset"
