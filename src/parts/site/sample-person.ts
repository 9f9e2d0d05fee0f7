import type { Role } from "../../core/domain/scopes.ts"

/** A user whose password is public. */
export type SamplePerson = {
  role: Role
  username: string
  password: string
  /** The account that an administrator acts for in the console at first, instead of their own. */
  account?: number
}
