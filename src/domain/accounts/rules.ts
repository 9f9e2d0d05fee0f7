import { type Role, roleNames } from "../scopes.ts"
import type { Caller } from "./model.ts"

/** What the caller is in the store: a person has their role; a program is an admin with the scope `admin`, else a customer. */
const roleOf = ({ user, scopes }: Caller): Role => user?.role ?? (scopes.has("admin") ? "admin" : "customer")

/** Whether the caller works for the store and so sees everybody's orders and records. */
export const isStaff = (caller: Caller): boolean => roleOf(caller) !== "customer"

/** Whether the caller's role is this one or above it. */
export const isAtLeast = (caller: Caller, role: Role): boolean =>
  roleNames.indexOf(roleOf(caller)) >= roleNames.indexOf(role)
