import type { AuditAction } from "./actions.ts"

/** Refers to a resource by its noun and id. */
export type Reference = `${Noun}:${number}`

type Noun =
  | "account"
  | "consent"
  | "external-issuer"
  | "key"
  | "oauth-client"
  | "session"
  | "sign-in"
  | "user"
  | "webhook"

/** Who performed an action, and from where. */
export type Actor = {
  /** A person, or the credential of a program; `operator` works on the machine itself, `service` is the service itself. */
  principal: Reference | "anonymous" | "operator" | "service"
  /** What the request was authenticated with. */
  credential?: Reference
  /** The account that is charged for the request. */
  account?: number
  /** The network address. */
  address?: string
  requestId?: string
}

/** Further details of an action: ids, names of roles and plans, numbers. No secrets, and no text from callers. */
export type Details = Readonly<Record<string, string | number>>

/** An action before it has its position in the log. */
export type NewEntry = Actor & { action: AuditAction; thing?: Reference; details?: Details }

/** The position of an entry: its number, its time (ms), and the hash of the previous entry. */
export type EntryPosition = { id: number; at: number; previous: string }

/** Selects entries by one field, by time (ms, the end excluded), or all. */
export type AuditFilter = {
  by: ["account", number] | ["principal" | "action" | "thing", string] | undefined
  since: number | undefined
  until: number | undefined
}
