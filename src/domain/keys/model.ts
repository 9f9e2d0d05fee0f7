import type { Account } from "../accounts/contract.ts"
import type { Role, Scope } from "../scopes.ts"

/** An API key as stored: never the secret, only its SHA-256 in hex. Times are milliseconds since the epoch. */
export type Key = {
  id: number
  accountId: number
  name: string
  scopes: Scope[]
  hash: string
  /** Address blocks a request must come from; empty means anywhere. */
  allowedCidrs: string[]
  createdAt: number
  /** Undefined never expires. */
  expiresAt: number | undefined
  /** When it was replaced by another; undefined unless it was. */
  rotatedAt: number | undefined
  /** To the minute; undefined before the first use. */
  lastUsedAt: number | undefined
  /** The person on whose right it rests and with whom it ends; undefined when it rests on nobody's. */
  userId: number | undefined
  /** When the credential that made it ends, which no rotation outlasts; undefined for never. */
  endsBy: number | undefined
}

/** What a key is made with; the rest comes with time. */
export type NewKey = Omit<Key, "id" | "rotatedAt" | "lastUsedAt" | "userId" | "endsBy"> &
  Partial<Pick<Key, "userId" | "endsBy">>

/** A key with its account and the role of the person it rests on. */
export type KeyWithAccount = { key: Key; account: Account; role: Role | undefined }
