import { webhooksMax } from "../../../domain/webhooks/contract.ts"

export type Capacity = typeof capacity

export const capacity = {
  /** In all lanes, by the lane of the attempt to start: later lanes leave the rest to earlier ones. */
  total: { quick: 1024, new: 640, slow: 512 },
  /** Per lane; an attempt that has taken longer than `oldMs` counts as `slow` in any lane. */
  lane: { quick: 384, new: 256, slow: 128 },
  /** Per account in a lane. */
  perAccount: { quick: 96, new: 100, slow: 16 },
  /** Per webhook in a lane. */
  perWebhook: { quick: 16, new: 1, slow: 2 },
  /** Per account in all lanes, including attempts that outlived their webhook: the largest share of a lane, and one for each webhook. */
  perAccountInAll: 96 + webhooksMax,
}

/** Less than a second, so that an attempt waiting for this capacity starts within a second. */
export const oldMs = 500

/** The share of the capacity, and of each lane's, reserved for accounts without running attempts in it. */
export const reservedShare = 1 / 4

/** The capacity of an account reserved for webhooks without running attempts: one attempt for each webhook it may have. */
export const reservedForWebhooks = webhooksMax
