import type { Lane } from "../../domain/webhooks/model.ts"

/** How many attempts may be under way at once. */
export type Room = {
  /** In all, by the lane they begin in: the lanes after the first leave the rest to those before them. */
  total: Readonly<Record<Lane, number>>
  /** Of a lane: those `new` that began less than a second ago, those `slow` or in any lane for longer than that. */
  lane: Readonly<Record<Lane, number>>
  /** Of a lane at one account. */
  perAccount: Readonly<Record<Lane, number>>
  /** At one webhook of a lane. */
  perWebhook: Readonly<Record<Lane, number>>
  /** At one account in all, those included that outlived their webhook. */
  perAccountInAll: number
}

export const room: Room = {
  total: { quick: 768, new: 640, slow: 512 },
  lane: { quick: 384, new: 256, slow: 128 },
  perAccount: { quick: 96, new: 100, slow: 16 },
  perWebhook: { quick: 16, new: 1, slow: 2 },
  perAccountInAll: 128,
}

/** The last part of a lane's room is for accounts that have nothing under way in it. */
export const reservedShare = 1 / 4
