import { at, Problem, problem, type Violation } from "../../kernel/problem.ts"
import { exactly } from "../../kernel/schema/exactly.ts"
import type { Caller } from "../accounts/model.ts"
import { isAtLeast, isStaff } from "../accounts/rules.ts"
import type { Policy } from "../policy.ts"
import { type Role, roleNames, roles, type Scope } from "../scopes.ts"
import { User, type UserDraft, type UserReplacement, type UserRole } from "./contract.ts"
import type { KnownPeople, StoredUser, UserRecord } from "./model.ts"

/** Reserved names: paths below /user, where such a user could not be reached. */
const addresses = ["login", "logout", "createwithlist"]

/** Violations of a username beyond its schema. */
export const nameViolations = (pointer: string, username: string | undefined): Violation[] =>
  username !== undefined && addresses.includes(username.toLowerCase())
    ? at(pointer, "reserved", "is reserved; choose another one")
    : []

/** Violations of a new password beyond its schema: the minimum length is a setting. */
export const passwordViolations = (
  pointer: string,
  password: string | undefined,
  { passwordLengthMin: min }: Pick<Policy, "passwordLengthMin">,
): Violation[] =>
  password !== undefined && [...password].length < min
    ? at(pointer, "too-short", `needs ${min} characters or more`)
    : []

/** Returns the user if the caller may see them: people themselves, staff any. Otherwise refused like an absent one. */
export const requireUser = (found: StoredUser | undefined, caller: Caller) =>
  found && (isStaff(caller) || caller.ownerId === found.accountId) ? found : problem("user-not-found", "User not found")

/** The same for a change, which a lower role may not make. */
export function requireChangeableUser(found: StoredUser | undefined, caller: Caller) {
  const stored = requireUser(found, caller)
  if (stored instanceof Problem || caller.ownerId === stored.accountId || isAtLeast(caller, stored.user.role))
    return stored
  const { username, role } = stored.user
  return problem("role-missing", `${username} is ${role} and can be changed by an admin only`)
}

/** A person with a role has its scopes, so granting the role, or a password of such a person, needs every one of them. */
export function checkGrantable(role: Role, has: ReadonlySet<Scope>) {
  const missing = roles[role].filter((scope) => !has.has(scope))
  if (missing.length === 0) return true
  return problem("forbidden", `The role ${role} has scopes that your credential lacks: ${missing.join(", ")}`)
}

/** Refuses to take the documented login of a user of the sandbox away: name, password, role or the whole user. */
export const checkUndocumented = ({ username }: User, knownPeople: KnownPeople) =>
  knownPeople.has(username.toLowerCase())
    ? problem(
        "well-known-user",
        `${username} is a well-known user of the sandbox, on whom documents and tests rely: the user cannot be deleted or renamed ` +
          "and gets neither another password nor a lower role. Register a user of your own for that",
      )
    : true

/** Whether the role is lower than the documented one of a user of the sandbox. */
export const isDemoted = ({ username }: User, role: Role, knownPeople: KnownPeople): boolean =>
  roleNames.indexOf(role) < roleNames.indexOf(knownPeople.get(username.toLowerCase()) ?? role)

/** Whether the change could give control of the user to someone else: password, username or e-mail address. */
export const takesOver = (user: User, wanted: UserReplacement): boolean =>
  wanted.password !== undefined ||
  (wanted.username ?? user.username) !== user.username ||
  (wanted.email ?? "") !== (user.email ?? "")

export const toUser = ({ role: _, ...user }: UserRecord): User => user

export const toUserRole = ({ id, username, role }: UserRecord): UserRole => ({ id, username, role })

/** A new customer, without the password. */
export function newUser({ password: _, ...draft }: UserDraft, id: number): UserRecord {
  return { ...exactly(User, { userStatus: 0, ...draft, id }), role: "customer" }
}

/** The record after a replacement, without passwords; an omitted username and the role are kept. */
export function replaceProfile(
  user: UserRecord,
  { password: _new, currentPassword: _current, ...wanted }: UserReplacement,
): UserRecord {
  const { id, username, role } = user
  return { ...exactly(User, { userStatus: 0, ...wanted, id, username: wanted.username ?? username }), role }
}

export const changedFields = (before: UserRecord, after: UserRecord): string[] =>
  (Object.keys({ ...before, ...after }) as (keyof UserRecord)[]).filter((field) => before[field] !== after[field])
