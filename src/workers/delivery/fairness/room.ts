import { webhooksMax } from "../../../domain/webhooks/contract.ts"

/** How many attempts may be under way at once. */
export type Room = typeof room

export const room = {
  /** In all, by the lane they begin in: the lanes after the first leave the rest to those before them. */
  total: { quick: 1024, new: 640, slow: 512 },
  /** Of a lane; one that has taken longer than `oldMs` counts as `slow`, whatever its lane. */
  lane: { quick: 384, new: 256, slow: 128 },
  /** Of a lane at one account. */
  perAccount: { quick: 96, new: 100, slow: 16 },
  /** At one webhook of a lane. */
  perWebhook: { quick: 16, new: 1, slow: 2 },
  /** At one account in all, those included that outlived their webhook: what is left for the others, and one for each. */
  perAccountInAll: 96 + webhooksMax,
}

/** Less than a second, so that whoever waits for the room of such an attempt begins within a second itself. */
export const oldMs = 500

/** The last part of the room, and of each lane's, is for accounts that have nothing under way in it. */
export const reservedShare = 1 / 4

/** The last part of an account's room is for webhooks that have nothing under way: an attempt for each there may be. */
export const reservedForWebhooks = webhooksMax
