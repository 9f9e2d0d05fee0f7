import type { Account } from "../../accounts/contract.ts"
import type { UserRecord } from "../model.ts"

/** A session in storage: only the SHA-256 (hex) of its token. Times are milliseconds since the epoch. */
type Session = { id: number; userId: number; hash: string; expiresAt: number }

/** Sessions in storage. */
export type SessionStore = {
  /** Adds a session and ends the user's oldest ones beyond `max`; returns its id and the number ended. */
  add(session: Omit<Session, "id">, max: number): Promise<{ id: number; ended: number }>
  /** The session with this SHA-256 (hex), its user and the user's account. */
  byHash(hash: string): Promise<{ session: Session; user: UserRecord; account: Account } | undefined>
  /** Ends a session; false when there is none with this SHA-256 (hex). */
  end(hash: string): Promise<boolean>
  /** Ends every session of a user. */
  endAll(userId: number): Promise<void>
  /** Deletes up to `limit` sessions that expired before this time; returns their number. */
  prune(before: number, limit: number): Promise<number>
}
