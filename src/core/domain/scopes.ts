/** The scopes, with their description on the consent page. */
export const scopes = {
  "read:pets": "See the pets",
  "write:pets": "Add, change and remove pets",
  "read:orders": "See orders",
  "write:orders": "Place and cancel orders",
  "read:users": "See users",
  "write:users": "Add, change and remove users",
  "manage:webhooks": "Manage webhooks and read the event feed",
  "manage:keys": "Manage API keys",
  admin: "Administer everything: act for any account, change plans and the roles of users, read the audit log",
} as const

/** A scope (RFC 6749 section 3.3). */
export type Scope = keyof typeof scopes

export const allScopes = Object.keys(scopes) as Scope[]

/** What an application needs for the most usual tasks; it can ask for more when it needs them. */
export const usualScopes: readonly Scope[] = ["read:pets", "write:pets", "read:orders", "write:orders"]

/** The roles, lowest first, each with the maximum scopes of its credentials. */
export const roles = {
  customer: ["read:pets", "read:orders", "write:orders", "read:users", "write:users"],
  staff: ["read:pets", "write:pets", "read:orders", "write:orders", "read:users", "write:users"],
  admin: allScopes,
} as const satisfies Record<string, readonly Scope[]>

export type Role = keyof typeof roles

export const roleNames = Object.keys(roles) as Role[]

/** Whether a credential that depends on a person with this role may have a scope; one that depends on no person may have all. */
export const mayHold = (role: Role | undefined, scope: Scope): boolean =>
  role === undefined || (roles[role] as readonly Scope[]).includes(scope)
