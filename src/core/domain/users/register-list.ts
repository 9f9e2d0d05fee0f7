import { invalidBody } from "../../kernel/problem.ts"
import { isStaff } from "../accounts/rules.ts"
import type { Verb } from "../context.ts"
import { addUser, type TakenId } from "./add-user.ts"
import type { User } from "./contract.ts"
import { nameViolations, passwordViolations } from "./rules.ts"

export const createUsersWithListInput = registeringList("refused")

/** The same as v2 does it. */
export const createUsersInV2 = registeringList("replaced")

function registeringList(takenId: TakenId): Verb<"createUsersWithListInput"> {
  return async (ctx, { body }) => {
    if (!isStaff(ctx.caller)) ctx.refuse("role-missing", "Only staff may register other people")
    const violations = body.flatMap(({ username, password }, n) => [
      ...nameViolations(`/${n}/username`, username),
      ...passwordViolations(`/${n}/password`, password, ctx.policy),
    ])
    ctx.accept(invalidBody(violations))
    // One at a time, so that a long list does not delay logins.
    const hashes: string[] = []
    for (const { password } of body) hashes.push(await ctx.passwords.hash(password))

    return ctx.store.transaction(async (tx) => {
      const made: User[] = []
      for (const [n, draft] of body.entries()) made.push(await addUser(ctx, tx, draft, hashes[n] as string, takenId))
      return made
    })
  }
}
