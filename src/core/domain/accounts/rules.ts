import { type Role, roleNames } from "../scopes.ts"
import type { Caller } from "./model.ts"

/** The caller's role: that of the person; for a program, admin with the scope `admin` and otherwise customer. */
const roleOf = ({ user, scopes }: Caller): Role => user?.role ?? (scopes.has("admin") ? "admin" : "customer")

/** Whether the caller is staff and therefore sees the orders and records of all users. */
export const isStaff = (caller: Caller): boolean => roleOf(caller) !== "customer"

export const isAtLeast = (caller: Caller, role: Role): boolean =>
  roleNames.indexOf(roleOf(caller)) >= roleNames.indexOf(role)
