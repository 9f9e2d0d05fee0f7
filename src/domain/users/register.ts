import { invalidBody } from "../../kernel/problem.ts"
import type { Operation } from "../context.ts"
import { addUser, nameTaken } from "./add-user.ts"
import type { users } from "./contract.ts"
import { countRegistration } from "./count-registration.ts"
import { nameViolations } from "./rules.ts"

export const createUser: Operation<typeof users.createUser> = async (ctx, { body }) => {
  if (!ctx.policy.registrationIsOpen)
    ctx.refuse("registration-closed", "Registration is closed here; ask the store's staff to register you")
  ctx.accept(invalidBody(nameViolations("/username", body.username)))
  // Asked again when adding; asked here so that a name that is taken costs no hashing.
  if (await ctx.store.users.byName(body.username)) ctx.refuse("user-exists", nameTaken(body.username))
  ctx.accept(await countRegistration(ctx))
  const passwordHash = await ctx.passwords.hash(body.password)

  return ctx.store.transaction((tx) => addUser(ctx, tx, body, passwordHash))
}
