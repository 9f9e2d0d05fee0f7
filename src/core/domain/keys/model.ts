import type { Account } from "../accounts/contract.ts"
import type { Role, Scope } from "../scopes.ts"

/** An API key in storage: only its SHA-256 (hex), never the secret. Times are milliseconds since the epoch. */
export type Key = {
  id: number
  accountId: number
  name: string
  scopes: Scope[]
  hash: string
  /** Address blocks a request must come from; empty means anywhere. */
  allowedCidrs: string[]
  createdAt: number
  /** Undefined means never. */
  expiresAt: number | undefined
  /** When another key replaced it; undefined otherwise. */
  rotatedAt: number | undefined
  /** To the minute; undefined before the first use. */
  lastUsedAt: number | undefined
  /** The person on whose rights it depends and with whom it ends; undefined when it depends on no person. */
  userId: number | undefined
  /** When the credential that created it ends, which rotations do not outlast; undefined means never. */
  endsBy: number | undefined
}

export type NewKey = Omit<Key, "id" | "rotatedAt" | "lastUsedAt" | "userId" | "endsBy"> &
  Partial<Pick<Key, "userId" | "endsBy">>

/** A key with its account and the role of the person it depends on. */
export type KeyWithAccount = { key: Key; account: Account; role: Role | undefined }

/** The SHA-256 (hex) of each public key. */
export type KnownKeys = ReadonlySet<string>
