import type { DisabledReason } from "../events/contract.ts"
import type { WebhookStatus } from "./contract.ts"

/**
 * Scheduling class: `new` before the first response, `quick` when responses take at most a second on average, else `slow`,
 * also after a failed attempt.
 */
export const lanes = ["quick", "new", "slow"] as const

export type Lane = (typeof lanes)[number]

/** A webhook in storage; times in milliseconds since the epoch. */
export type StoredWebhook = {
  id: number
  accountId: number
  url: string
  description: string | undefined
  /** Kinds of events, or `["*"]`. */
  events: string[]
  ordered: boolean
  status: WebhookStatus
  disabledReason: DisabledReason | undefined
  /** Time of the first failed attempt since the last success. */
  failingSince: number | undefined
  lane: Lane
  /** Moving average of the duration of an attempt, in milliseconds; undefined before the first. */
  averageMs: number | undefined
  createdAt: number
}
