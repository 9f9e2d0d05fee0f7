import type { Account } from "../accounts/contract.ts"
import type { Scope } from "../scopes.ts"

/** An API key as stored: never the secret, only its SHA-256 in hex. */
export type Key = {
  id: number
  accountId: number
  name: string
  scopes: Scope[]
  hash: string
  /** Milliseconds since the epoch; undefined never expires. */
  expiresAt: number | undefined
}

export type KeyWithAccount = { key: Key; account: Account }
