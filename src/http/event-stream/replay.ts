import { positionOf } from "../../domain/events/rules.ts"
import type { PublishedEvent } from "../../domain/events/store.ts"
import { pageLimitMax } from "../../kernel/page.ts"
import type { Problem } from "../../kernel/problem.ts"

/** How the replay of events to one account is counted: as the pages of the feed that hold as many. */
export type ReplayCount = {
  /** Counts a page; returns the 429 when the plan is used up. */
  takePage(): Promise<Problem | undefined>
  /** Whether the request for the stream was counted, which pays for the first page. */
  isFirstPaid: boolean
}

/** Bounds the replay of what happened before the place `until` by the plan of the account. Times are those of a steady clock. */
export function replayBound({ takePage, isFirstPaid }: ReplayCount, until: number) {
  let paid = isFirstPaid ? pageLimitMax : 0
  let pausedUntil = 0

  return {
    isPaused: (now: number): boolean => now < pausedUntil,

    /** Whether events behind a place may be replayed now. */
    async admits(after: number, now: () => number): Promise<boolean> {
      if (after >= until || paid > 0) return true
      const refusal = await takePage()
      if (refusal) pausedUntil = now() + (refusal.retryAfter ?? 1) * 1000
      else paid = pageLimitMax
      return !refusal
    },

    /** Notes what was told. */
    told(events: readonly Pick<PublishedEvent, "id">[]): void {
      for (const { id } of events) if (positionOf(id) <= until) paid--
    },
  }
}
