import type { Operation } from "../operation.ts"
import type { users } from "./contract.ts"
import { nameViolations } from "./rules.ts"
import { added, nameTaken, requireNone } from "./steps.ts"

export const createUser: Operation<typeof users.createUser> = async (ctx, { body }) => {
  requireNone(ctx, nameViolations("/username", body.username))
  // Asked again when adding; asked here so that a name that is taken costs no hashing.
  if (await ctx.store.users.byName(body.username)) ctx.refuse("user-exists", nameTaken(body.username))
  const passwordHash = await ctx.passwords.hash(body.password)

  return ctx.store.transaction((tx) => added(ctx, tx, body, passwordHash))
}
