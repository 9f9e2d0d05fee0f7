import type { AttemptError, DeliveryState } from "./contract.ts"

/** What came of an attempt; times in milliseconds. */
export type Outcome = {
  at: number
  durationMs: number
  status: number | undefined
  /** Undefined when the receiver took it (2xx). */
  error: AttemptError | undefined
  /** The beginning of the receiver's response, as text without NUL. */
  answer: string | undefined
  /** Milliseconds the receiver asks to wait (RFC 9110 section 10.2.3). */
  retryAfterMs: number | undefined
}

/** Where a delivery stands after an attempt; `dueAt` in milliseconds since the epoch while it is pending. */
export type Standing = { state: DeliveryState; step: number; dueAt: number | undefined }
