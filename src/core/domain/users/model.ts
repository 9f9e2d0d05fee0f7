import type { Role } from "../scopes.ts"
import type { User } from "./contract.ts"

/** The role of each user whose password is public, by username in lower case. */
export type KnownPeople = ReadonlyMap<string, Role>

/** A user in storage: only the hash of the password. */
export type StoredUser = { user: UserRecord; accountId: number; passwordHash: string }

/** The record of a user. Responses show the role separately. */
export type UserRecord = User & { role: Role }
