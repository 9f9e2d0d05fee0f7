import type { Role, Scope } from "../scopes.ts"
import type { Account } from "./contract.ts"

/** The sender of a request, once the credential has been checked. */
export type Caller = {
  /** The account whose plan the request counts against. */
  account: Account
  /**
   * The account that owns what the caller creates and may see: a person's own, also when a program acts for them, unless an
   * administrator acts for another one.
   */
  ownerId: number
  /** The person behind the request; absent when a program acts for an account. */
  user?: { id: number; username: string; role: Role; accountId: number }
  /** What the request was authenticated with; `id` identifies it in the log, never the secret. */
  credential: { kind: "key" | "session" | "oauthClient" | "externalIssuer"; id: number }
  scopes: ReadonlySet<Scope>
  bounds: Bounds
  /** The request had no valid credential, and acts for the key of anonymous requests. */
  isAssumed?: true
}

/** Limits of everything that a credential creates, and of what that creates in turn. */
export type Bounds = {
  /** The person on whose rights the credential depends, directly or not; undefined when it depends on no person. */
  userId: number | undefined
  /** Milliseconds since the epoch at which the credential ends; undefined for never. */
  endsAt: number | undefined
  /** Address blocks the credential may be used from; empty means anywhere. */
  allowedCidrs: readonly string[]
}

/** The bounds of a credential that depends on no person and does not expire. */
export const unbounded: Bounds = { userId: undefined, endsAt: undefined, allowedCidrs: [] }

/** Means every account, in a signal: ids start at 1. */
export const everyAccount = 0
