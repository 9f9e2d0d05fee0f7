import { invalidBody } from "../../kernel/problem.ts"
import type { Operation } from "../context.ts"
import { addUser, nameTaken } from "./add-user.ts"
import type { users } from "./contract.ts"
import { countRegistration } from "./count-registration.ts"
import { nameViolations, passwordViolations } from "./rules.ts"

export const createUser: Operation<typeof users.createUser> = async (ctx, { body }) => {
  if (!ctx.policy.registrationIsOpen)
    ctx.refuse("registration-closed", "Registration is closed here; ask the store's staff to register you")
  const { username, password } = body
  const tooShort = passwordViolations("/password", password, ctx.policy)
  ctx.accept(invalidBody([...nameViolations("/username", username), ...tooShort]))
  // Asked again when adding; asked here so that a name that is taken costs no hashing.
  if (await ctx.store.users.byName(username)) ctx.refuse("user-exists", nameTaken(username))
  ctx.accept(await countRegistration(ctx))
  const passwordHash = await ctx.passwords.hash(password)

  return ctx.store.transaction((tx) => addUser(ctx, tx, body, passwordHash))
}
