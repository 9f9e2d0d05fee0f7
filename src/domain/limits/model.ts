import type { Plan } from "../accounts/contract.ts"

/** How long each window is, in seconds. */
export const windowSeconds = { minute: 60, day: 86_400 } as const

/** The name of a window. */
export type Policy = keyof typeof windowSeconds

/** How many requests an account may make in any minute and in any day. */
export type Quota = Readonly<Record<Policy, number>>

/** What each plan allows; undefined is without limit. */
export type Plans = Readonly<Record<Plan, Quota | undefined>>

/** Why a request is not admitted: the windows that are full, and the whole seconds after which none of them is. */
export type Full = { violated: Policy[]; retryAfterS: number }
