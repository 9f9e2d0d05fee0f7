import type { Role, Scope } from "../scopes.ts"
import type { Account } from "./contract.ts"

/** Who is asking, once the credential has been checked. */
export type Caller = {
  /** Whose plan counts the request. */
  account: Account
  /** The account that owns what the caller makes and may see: a person's own, also when a program acts for them. */
  ownerId: number
  /** The person behind the request; absent when a program acts for an account. */
  user?: { id: number; username: string; role: Role }
  /** What the request was authenticated with; `id` identifies it in the log, never the secret. */
  credential: { kind: "key" | "session" | "oauthClient" | "externalIssuer"; id: number }
  scopes: ReadonlySet<Scope>
  bounds: Bounds
}

/** What everything that a credential makes stays within, and what is made by that in turn. */
export type Bounds = {
  /** The person on whose right the credential rests, however indirectly; undefined when it rests on nobody's. */
  userId: number | undefined
  /** Milliseconds since the epoch at which the credential ends; undefined for never. */
  endsAt: number | undefined
  /** Address blocks the credential is for; empty means anywhere. */
  allowedCidrs: readonly string[]
}

/** The bounds of what rests on nobody and never ends. */
export const unbounded: Bounds = { userId: undefined, endsAt: undefined, allowedCidrs: [] }

/** Stands for every account, in a signal: ids begin at 1. */
export const everyAccount = 0
