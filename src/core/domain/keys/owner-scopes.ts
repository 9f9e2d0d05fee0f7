import { at, problem, type Violation } from "../../kernel/problem.ts"
import type { Repositories } from "../ports/store.ts"
import { mayHold, type Role, type Scope } from "../scopes.ts"

type Users = Pick<Repositories, "users">

/** The role that bounds a stored credential; undefined when it depends on no person. */
export const roleOfPerson = async ({ users }: Users, userId: number | undefined): Promise<Role | undefined> =>
  userId === undefined ? undefined : (await users.byId(userId))?.user.role

/** The role that will bound a new credential: that of the named person, otherwise of the one whose account it is. */
export const roleOfOwner = async (
  { users }: Users,
  { accountId, userId }: { accountId: number; userId?: number | undefined },
): Promise<Role | undefined> =>
  userId === undefined ? (await users.ofAccount(accountId))?.user.role : roleOfPerson({ users }, userId)

/** The scopes that a credential may not have, because the person on whom it depends may not. */
export const beyondRole = (scopes: readonly Scope[], role: Role | undefined): Violation[] =>
  scopes.flatMap((scope, n) =>
    mayHold(role, scope)
      ? []
      : at(
          `/scopes/${n}`,
          "beyond-role",
          `is ${scope}, which the role ${role} of the account's owner does not include`,
        ),
  )

/** Refuses to repeat a credential whose scopes have come to exceed the role of its owner. */
export function checkHoldable(scopes: readonly Scope[], role: Role | undefined) {
  const beyond = scopes.filter((scope) => !mayHold(role, scope))
  if (beyond.length === 0) return true
  return problem("forbidden", `The role ${role} of the account's owner does not include ${beyond.join(", ")}`)
}
