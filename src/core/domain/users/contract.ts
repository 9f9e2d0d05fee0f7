import type { Static } from "typebox"
import { classicTypes, jsonOrXml } from "../../kernel/network/media-types.ts"
import { chosenId, Id, named, object, text } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"
import { endpointsWith } from "../endpoint.ts"
import { roleNames } from "../scopes.ts"

const usersMax = 100
/** Maximum length of every field, in any alphabet. */
const userBytesMax = 2_560

const Username = text(3, 64, {
  pattern: "^[A-Za-z0-9._-]*$",
  "x-rule": "may only contain letters A-Z and a-z, digits, dot, underscore and hyphen",
  description: "Unique, regardless of case",
  examples: ["theUser"],
})

const Password = text(1, 128, {
  format: "password",
  description: "At least 8 characters, unless the operator set otherwise; stored as a hash and never returned",
  examples: ["correct horse battery staple"],
})

/** Proves that the person sends the request, not the holder of a stolen token. */
const CurrentPassword = text(0, 1024, {
  format: "password",
  description: "The caller's own password; required in a session, not with an API key that has the scope `admin`",
  examples: ["password1"],
})

const user = { xml: { name: "user" } }
const manyUsers = { maxItems: usersMax, xml: { name: "users", wrapped: true } }

const Role = named(
  "Role",
  Type.Enum(roleNames, { description: "The user's role, which limits the scopes of their credentials" }),
)

const profile = {
  firstName: Type.Optional(text(0, 255, { examples: ["John"] })),
  lastName: Type.Optional(text(0, 255, { examples: ["James"] })),
  email: Type.Optional(
    text(0, 254, {
      pattern: "^([^@\\s\\x00]+@[^@\\s\\x00]+)?$",
      "x-rule": "must be an e-mail address",
      "x-trimmed": true,
      examples: ["john@example.com"],
    }),
  ),
  phone: Type.Optional(text(0, 64, { examples: ["12345"] })),
}
const UserStatus = Type.Integer({
  minimum: -(2 ** 31),
  maximum: 2 ** 31 - 1,
  format: "int32",
  description: "Not used by the service; defaults to 0",
  examples: [1],
})

// Exactly the members of the classic user, because strict clients reject others.
export const User = object("User", { id: Id, username: Username, ...profile, userStatus: UserStatus }, user)
export type User = Static<typeof User>

const UserRole = object("UserRole", { id: Id, username: Username, role: Role })
export type UserRole = Static<typeof UserRole>

const example = { username: "theUser", firstName: "John", email: "john@example.com", password: "12345678" }

export const UserDraft = object(
  "UserDraft",
  {
    id: Type.Optional(chosenId("Generated when omitted or 0")),
    username: Username,
    ...profile,
    password: Password,
    userStatus: Type.Optional(UserStatus),
  },
  { examples: [example], ...user },
)
export type UserDraft = Static<typeof UserDraft>

export const UserReplacement = object(
  "UserReplacement",
  {
    id: Type.Optional(chosenId("The user's own id, when given; 0 counts as omitted")),
    username: Type.Optional(Username),
    ...profile,
    password: Type.Optional(Password),
    userStatus: Type.Optional(UserStatus),
    currentPassword: Type.Optional(CurrentPassword),
  },
  { examples: [{ firstName: "Joan", email: "joan@example.com" }], ...user },
)
export type UserReplacement = Static<typeof UserReplacement>

const UserDeletion = object("UserDeletion", { currentPassword: Type.Optional(CurrentPassword) })

const RoleGrant = object("RoleGrant", { currentPassword: Type.Optional(CurrentPassword) })

const PasswordReset = object("PasswordReset", { password: Password, currentPassword: Type.Optional(CurrentPassword) })

// Any text: a name that no user can have is a user that does not exist.
const username = Type.String({ description: "Not case-sensitive", examples: ["user9"] })
const byName = Type.Object({ username })

const confirmation = ["session-required", "current-password-required", "too-many-attempts"] as const

/** Consequences of losing a role or of deleting the user. */
const withdrawals = ["key.revoked", "oauth-client.deleted", "webhook.deleted"] as const

const endpoint = endpointsWith({ tag: "user" })
const classic = endpointsWith({ tag: "user", produces: jsonOrXml })

export const users = {
  createUser: classic("POST", "/user", {
    summary: "Register",
    description:
      "The operator may close registration. The new user is a customer with their own account on the Free plan. The number of registrations per address and hour is limited.",
    command: "users register",
    scope: "open",
    hashesPassword: true,
    body: UserDraft,
    consumes: classicTypes,
    response: User,
    problems: ["user-exists", "registration-closed", "too-many-registrations"],
    audited: ["user.created"],
  }),

  createUsersWithListInput: classic("POST", "/user/createWithList", {
    summary: "Register several users: all of them or none",
    description: "For staff.",
    command: "users import",
    scope: "write:users",
    bodyBytesMax: usersMax * userBytesMax,
    consumes: jsonOrXml,
    body: Type.Array(UserDraft, {
      ...manyUsers,
      examples: [["ada", "grace"].map((username) => ({ ...example, username }))],
    }),
    response: Type.Array(User, manyUsers),
    problems: ["user-exists", "role-missing"],
    audited: ["user.created"],
  }),

  listUsers: endpoint("GET", "/user", {
    summary: "List users",
    description: "For staff. Newest first by default.",
    command: "users list",
    scope: "read:users",
    response: Type.Array(User, { maxItems: 1000 }),
    problems: ["role-missing"],
    paged: true,
    sorts: ["-id", "id"],
  }),

  getUserByName: classic("GET", "/user/{username}", {
    summary: "Find a user by name",
    description: "Users can read their own record, staff any.",
    command: "users get",
    scope: "read:users",
    params: byName,
    response: User,
    problems: ["user-not-found"],
  }),

  updateUser: classic("PUT", "/user/{username}", {
    summary: "Replace a user's record, rename them, change the password",
    description:
      "An omitted username or password is kept, every other omitted field is cleared. A new password ends every " +
      "session. People change their own record; staff change records of users with the same or a lower role, except the " +
      "password. A new username, e-mail address or password requires a session and `currentPassword`.",
    command: "users replace",
    scope: "write:users",
    params: byName,
    body: UserReplacement,
    consumes: classicTypes,
    response: User,
    problems: ["user-not-found", "user-exists", "role-missing", "well-known-user", ...confirmation],
    audited: ["user.changed", "password.changed"],
  }),

  deleteUser: classic("DELETE", "/user/{username}", {
    summary: "Delete a user",
    description:
      "Deletes all data of the person and ends every session. Their orders are kept. A session requires " +
      "`currentPassword`; access tokens of applications are not accepted.",
    command: "users delete",
    scope: "write:users",
    params: byName,
    body: Type.Optional(UserDeletion),
    problems: ["user-not-found", "role-missing", "well-known-user", ...confirmation],
    audited: ["user.deleted", ...withdrawals],
  }),

  resetPassword: endpoint("POST", "/user/{username}/password-reset", {
    summary: "Reset a user's password, as staff",
    description:
      "Ends every session of the user and every token of applications they consented to. For staff, with every scope of the user's role; an admin's password " +
      "cannot be reset. A session requires the staff member's own password as `currentPassword`; access tokens of " +
      "applications are not accepted.",
    command: "users reset-password",
    tool: { replaces: true, repeatable: true },
    scope: "write:users",
    params: byName,
    body: PasswordReset,
    problems: ["user-not-found", "role-missing", "forbidden", "well-known-user", ...confirmation],
    audited: ["password.reset"],
  }),

  listRoles: endpoint("GET", "/roles", {
    summary: "List the roles of users",
    description: "For staff. Newest users first by default.",
    command: "users roles",
    scope: "read:users",
    response: Type.Array(UserRole, { maxItems: 1000 }),
    problems: ["role-missing"],
    paged: true,
    sorts: ["-id", "id"],
  }),

  getRole: endpoint("GET", "/user/{username}/roles", {
    summary: "Show the role of a user",
    description: "Users can read their own role, staff any.",
    command: "users role",
    scope: "read:users",
    params: byName,
    response: UserRole,
    problems: ["user-not-found"],
  }),

  grantRole: endpoint("PUT", "/user/{username}/roles/{role}", {
    summary: "Set the role of a user",
    description:
      "A user has one role; it limits their sessions from the next request on. Requires a credential with every scope of the " +
      "role. For the role admin, a session requires `currentPassword`; access tokens of applications are not accepted.",
    command: "users grant",
    scope: "admin",
    params: Type.Object({ username, role: Role }),
    body: Type.Optional(RoleGrant),
    response: UserRole,
    problems: ["user-not-found", "forbidden", "well-known-user", ...confirmation],
    audited: ["user.role-changed", ...withdrawals],
  }),
}
