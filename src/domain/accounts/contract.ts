import type { Role, Scope } from "../scopes.ts"

export type Plan = "free" | "pro" | "enterprise"

/** Who pays and owns: every caller acts for an account. */
export type Account = { id: number; name: string; plan: Plan }

/** Who is asking, once the credential has been checked. */
export type Caller = {
  /** Whose plan counts the request. */
  account: Account
  /** The account that owns what the caller makes and may see: a person's own, also when a program acts for them. */
  ownerId: number
  /** The person behind the request; absent when a program acts for an account. */
  user?: { id: number; username: string; role: Role }
  /** What the request was authenticated with; `id` names it in the log, never the secret. */
  credential: { kind: "key" | "session" | "oauthClient"; id: number }
  scopes: ReadonlySet<Scope>
}
