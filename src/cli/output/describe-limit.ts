import type { LimitUsage } from "../../core/domain/limits/contract.ts"

/** `59 of 60 left this minute`. */
export const describeLimit = ({ policy, quota, remaining }: LimitUsage): string =>
  `${remaining} of ${quota} left this ${policy}`

/** Whether a value of a response is the use of a limit. */
export const isLimit = (value: object): value is LimitUsage =>
  "policy" in value && "quota" in value && "remaining" in value
