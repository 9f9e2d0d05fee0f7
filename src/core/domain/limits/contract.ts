import type { Static } from "typebox"
import { object } from "../../kernel/schema/schema.ts"
import { Type } from "../../kernel/schema/type.ts"

export const LimitUsage = object(
  "LimitStanding",
  {
    policy: Type.Enum(["minute", "day"], { description: "Name of the policy in `RateLimit-Policy`" }),
    quota: Type.Integer({ description: "Requests allowed in the window" }),
    windowSeconds: Type.Integer({ description: "Length of the window in seconds" }),
    used: Type.Integer({ description: "Requests counted in the current window" }),
    remaining: Type.Integer({ description: "Requests that would be admitted now" }),
    resetSeconds: Type.Integer({
      description: "Seconds until the oldest request counted leaves the window; 0 when there is none",
    }),
  },
  { examples: [{ policy: "minute", quota: 60, windowSeconds: 60, used: 1, remaining: 59, resetSeconds: 60 }] },
)
/** An account's use of one window. */
export type LimitUsage = Static<typeof LimitUsage>
