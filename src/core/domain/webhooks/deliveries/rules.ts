import { problem } from "../../../kernel/problem.ts"
import type { StoredWebhook } from "../model.ts"
import type { DeliveryProgress, Outcome } from "./model.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Refuses a retry for a webhook that is not sent anything. */
export const checkEnabled = ({ status }: StoredWebhook) =>
  status === "disabled" || status === "testing"
    ? problem("webhook-disabled", "The webhook is disabled; set its status to active first, which starts with a test")
    : true

/** Milliseconds between attempts; the first is immediate. Ten attempts in all. */
export const waitsMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Relative variation of a wait, so that deliveries that failed together do not retry together. */
const jitter = 0.1

/** Maximum delay by `Retry-After`, in milliseconds. */
const retryAfterMsMax = 24 * hour

/** The state of a delivery after an attempt; `random` is in [0, 1). A test is attempted once. */
export function progressAfter(
  { step, isTest }: { step: number; isTest: boolean },
  { at, durationMs, status, error, retryAfterMs = 0 }: Outcome,
  random: number,
): DeliveryProgress {
  const next = step + 1
  if (error === undefined) return { state: "delivered", step: next, dueAt: undefined }
  const waitMs = waitsMs[step]
  if (isTest || waitMs === undefined || status === 410) return { state: "failed", step: next, dueAt: undefined }
  const jittered = Math.round(waitMs * (1 + jitter * (2 * random - 1)))
  const dueAt = at + durationMs + Math.max(jittered, Math.min(retryAfterMs, retryAfterMsMax))
  return { state: "pending", step: next, dueAt }
}

/** Whether the last attempt failed. The event that says so is not followed by another one when it cannot be delivered either. */
export const isGivenUp = ({ kind }: { kind: string }, { state, step }: DeliveryProgress): boolean =>
  state === "failed" && step > waitsMs.length && kind !== "delivery.failed"

/** Milliseconds of a `Retry-After` header (RFC 9110 section 10.2.3), in seconds or as a date. */
export function retryAfterMsOf(header: string | undefined, at: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * second
  const date = /^[A-Za-z]{3,9},? /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - at)
}
