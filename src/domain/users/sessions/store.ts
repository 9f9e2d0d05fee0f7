import type { Account } from "../../accounts/contract.ts"
import type { User } from "../contract.ts"

/** A session as stored: never its token, only the SHA-256 in hex. Times are milliseconds since the epoch. */
type Session = { id: number; userId: number; hash: string; expiresAt: number }

/** What the service asks storage about sessions. */
export type SessionStore = {
  /** Adds a session and ends the user's oldest ones beyond `max`; returns its new id and how many were ended. */
  add(session: Omit<Session, "id">, max: number): Promise<{ id: number; ended: number }>
  /** The session with this SHA-256 (hex), whose it is, and the account that is theirs. */
  byHash(hash: string): Promise<{ session: Session; user: User; account: Account } | undefined>
  /** Ends one session; false when there is none with this SHA-256 (hex). */
  end(hash: string): Promise<boolean>
  /** Ends every session of a user. */
  endAll(userId: number): Promise<void>
  /** Forgets up to `limit` sessions that expired before this time; returns how many. */
  prune(before: number, limit: number): Promise<number>
}
