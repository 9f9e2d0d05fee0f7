import { positionOf } from "../../domain/events/rules.ts"
import { pageLimitMax } from "../../kernel/endpoint/page.ts"
import type { Problem } from "../../kernel/problem.ts"
import type { FeedItem } from "./feed.ts"

/** How replayed events are charged to the account: as the pages of the feed that would hold them. */
export type ReplayCount = {
  /** Counts a page; returns the 429 when the plan is used up. */
  takePage(): Promise<Problem | undefined>
  /** Whether the request for the stream was counted, which pays for the first page. */
  isFirstPaid: boolean
}

/** The replay that one stream may make; times are those of a monotonic clock. */
export type ReplayBound = {
  isPaused(now: number): boolean
  /** Whether events after a position may be replayed now. */
  admits(after: number, now: () => number): Promise<boolean>
  /** Records events that were sent. */
  record(events: readonly Pick<FeedItem, "id">[]): void
}

/** Charges the replay of events up to the position `until` to the account's plan. */
export function replayBound({ takePage, isFirstPaid }: ReplayCount, until: number): ReplayBound {
  let paid = isFirstPaid ? pageLimitMax : 0
  let pausedUntil = 0

  return {
    isPaused: (now) => now < pausedUntil,

    async admits(after, now) {
      if (after >= until || paid > 0) return true
      const refusal = await takePage()
      if (refusal) pausedUntil = now() + (refusal.retryAfter ?? 1) * 1000
      else paid = pageLimitMax
      return !refusal
    },

    record(events) {
      for (const { id } of events) if (positionOf(id) <= until) paid--
    },
  }
}
