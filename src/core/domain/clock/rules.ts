import type { ClockCheck } from "./model.ts"

/** A larger change between two rounds means a wrong clock or a long downtime. */
export const clockJumpMs = 24 * 60 * 60 * 1000

export const isNear = (time: number, other: number): boolean => Math.abs(time - other) <= clockJumpMs

/**
 * Judges a clock that says `now` by the last round. It is trusted near a time that was trusted, so correcting a wrong clock
 * ends the doubt, or after a day without another jump.
 */
export function judgeClock(last: ClockCheck | undefined, now: number): ClockCheck {
  const believed = { checkedAt: now, trustedAt: now, doubtedSince: undefined }
  if (last === undefined || isNear(last.trustedAt, now)) return believed
  const isSteady = last.doubtedSince !== undefined && isNear(last.checkedAt, now)
  const doubtedSince = isSteady ? Math.min(last.doubtedSince ?? now, now) : now
  if (now - doubtedSince >= clockJumpMs) return believed
  return { checkedAt: now, trustedAt: last.trustedAt, doubtedSince }
}
