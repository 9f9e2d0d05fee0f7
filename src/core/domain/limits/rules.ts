import type { LimitUsage } from "./contract.ts"
import { type LimitReached, type WindowName, windowSeconds } from "./model.ts"

/** The requests counted in one window. Times are milliseconds since the epoch. */
export type Window = {
  policy: WindowName
  quota: number
  used: number
  /** When the n-th oldest counted request, from 1, leaves the window. */
  leavesAt(n: number): number
}

/** The windows that have no capacity for another request; undefined when all have. */
export function fullness(windows: readonly Window[], now: number): LimitReached | undefined {
  if (windows.every(hasCapacity)) return undefined
  const full = windows.filter((window) => !hasCapacity(window))
  const capacityAt = Math.max(...full.map(({ used, quota, leavesAt }) => leavesAt(used - quota + 1)))
  return { violated: full.map(({ policy }) => policy), retryAfterS: secondsUntil(capacityAt, now) }
}

const hasCapacity = ({ used, quota }: Window): boolean => used < quota

export const usageOf = ([minute, day]: readonly [Window, Window], now: number): [LimitUsage, LimitUsage] => [
  usageOfWindow(minute, now),
  usageOfWindow(day, now),
]

const usageOfWindow = ({ policy, quota, used, leavesAt }: Window, now: number): LimitUsage => ({
  policy,
  quota,
  windowSeconds: windowSeconds[policy],
  used,
  remaining: Math.max(0, quota - used),
  resetSeconds: used === 0 ? 0 : secondsUntil(leavesAt(1), now),
})

const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000))
