import { at, Problem, problem, type Violation } from "../../kernel/problem.ts"
import { exactly } from "../../kernel/schema/exactly.ts"
import type { Caller } from "../accounts/model.ts"
import { isAtLeast, isStaff } from "../accounts/rules.ts"
import type { Policy } from "../policy.ts"
import { User, type UserDraft, type UserReplacement } from "./contract.ts"
import type { StoredUser } from "./store.ts"

/** Names that are addresses of their own below /user, where a user of that name could not be reached. */
const addresses = ["login", "logout", "createwithlist"]

/** What is wrong with a name that its form does not show. */
export const nameViolations = (pointer: string, username: string | undefined): Violation[] =>
  username !== undefined && addresses.includes(username.toLowerCase())
    ? at(pointer, "reserved", "is reserved; choose another one")
    : []

/** What is wrong with a new password, whose least length is a setting and no part of the schema. */
export const passwordViolations = (
  pointer: string,
  password: string | undefined,
  { passwordLengthMin: min }: Pick<Policy, "passwordLengthMin">,
): Violation[] =>
  password !== undefined && [...password].length < min
    ? at(pointer, "too-short", `needs ${min} characters or more`)
    : []

/** The user, when the caller may see them: a person themselves, staff anybody. Refused like an absent one otherwise. */
export const requireUser = (found: StoredUser | undefined, caller: Caller) =>
  found && (isStaff(caller) || caller.ownerId === found.accountId) ? found : problem("user-not-found", "User not found")

/** The same for a change, which somebody below the user may not make. */
export function requireChangeableUser(found: StoredUser | undefined, caller: Caller) {
  const stored = requireUser(found, caller)
  if (stored instanceof Problem || caller.ownerId === stored.accountId || isAtLeast(caller, stored.user.role))
    return stored
  const { username, role } = stored.user
  return problem("role-missing", `${username} is ${role} and can be changed by an admin only`)
}

/** Whether the change would let somebody else take the person's place: what they sign in with, or are written to at. */
export const takesOver = (user: User, wanted: UserReplacement): boolean =>
  wanted.password !== undefined ||
  (wanted.username ?? user.username) !== user.username ||
  (wanted.email ?? "") !== (user.email ?? "")

/** A new customer, without the password. */
export function newUser({ password: _, ...draft }: UserDraft, id: number): User {
  return exactly(User, { userStatus: 0, ...draft, id, role: "customer" })
}

/** The record after it was replaced, without the passwords: name and role stay unless told. */
export function replaceProfile(
  user: User,
  { password: _new, currentPassword: _current, ...wanted }: UserReplacement,
): User {
  return exactly(User, {
    userStatus: 0,
    ...wanted,
    id: user.id,
    username: wanted.username ?? user.username,
    role: user.role,
  })
}

/** The names of the fields in which two records of a person differ. */
export const changedFields = (before: User, after: User): string[] =>
  (Object.keys({ ...before, ...after }) as (keyof User)[]).filter((field) => before[field] !== after[field])
