import type { EventKind } from "../../events/contract.ts"
import type { AttemptError, DeliveryState } from "./contract.ts"

/** The outcome of an attempt; times in milliseconds. */
export type Outcome = {
  at: number
  durationMs: number
  status: number | undefined
  /** Undefined when the receiver accepted it (2xx). */
  error: AttemptError | undefined
  /** The start of the receiver's response, as text without NUL. */
  response: string | undefined
  /** The receiver's `Retry-After` in milliseconds (RFC 9110 section 10.2.3). */
  retryAfterMs: number | undefined
}

/** The state of a delivery after an attempt; `dueAt` in milliseconds since the epoch while it is pending. */
export type DeliveryProgress = { state: DeliveryState; step: number; dueAt: number | undefined }

/** A message to a webhook; to an ordered one those of a pet are sent one after the other. */
export type MessageFacts = { webhookId: number; kind: EventKind; isOrdered: boolean }
