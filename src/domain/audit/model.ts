import type { AuditAction } from "./actions.ts"

/** Names a thing by its noun and id. */
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

/** Who does something, and from where. */
export type Actor = {
  /** A person, or the credential of a program; `operator` works on the machine itself, `service` is the service on its own. */
  principal: Reference | "anonymous" | "operator" | "service"
  /** What the request was authenticated with. */
  credential?: Reference
  /** The account that is charged for the request. */
  account?: number
  /** The network address. */
  address?: string
  requestId?: string
}

/** What is said of an action besides its name: ids, names of roles and plans, numbers; nothing secret, no text a stranger wrote. */
export type Details = Readonly<Record<string, string | number>>

/** What happened, before it has its place in the log. */
export type NewEntry = Actor & { action: AuditAction; thing?: Reference; details?: Details }

/** Where an entry stands: its number, the time (ms), and the hash of the entry before it. */
export type Place = { id: number; at: number; previous: string }
