import type { Scope } from "../scopes.ts"

export type Plan = "free" | "pro" | "enterprise"

/** Who pays and owns: every caller acts for an account. */
export type Account = { id: number; name: string; plan: Plan }

/** Who is asking, once the credential has been checked. */
export type Caller = {
  account: Account
  /** What the request was authenticated with; `id` names it in the log, never the secret. */
  credential: { kind: "key"; id: number }
  scopes: ReadonlySet<Scope>
}
