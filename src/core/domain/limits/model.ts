import type { Plan } from "../accounts/contract.ts"

/** Length of each window in seconds. */
export const windowSeconds = { minute: 60, day: 86_400 } as const

export type WindowName = keyof typeof windowSeconds

/** Requests that an account may make in any minute and in any day. */
export type Quota = Readonly<Record<WindowName, number>>

/** The quota of each plan; undefined means unlimited. */
export type Plans = Readonly<Record<Plan, Quota | undefined>>

/** Why a request is rejected: the windows that are full, and the whole seconds until none is. */
export type LimitReached = { violated: WindowName[]; retryAfterS: number }
