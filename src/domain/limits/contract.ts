import { type Static, Type } from "typebox"
import { named } from "../../kernel/schema.ts"

/** How long each window is, in seconds. */
export const windowSeconds = { minute: 60, day: 86_400 } as const

export type Policy = keyof typeof windowSeconds

/** How many requests an account may make in any minute and in any day. */
export type Quota = Readonly<Record<Policy, number>>

/** What each plan allows; undefined is without limit. */
export type Plans = Readonly<Record<"free" | "pro" | "enterprise", Quota | undefined>>

/** Why a request is not admitted: the windows that are full, and the whole seconds after which none of them is. */
export type Full = { violated: Policy[]; retryAfterS: number }

export const Standing = named(
  "LimitStanding",
  Type.Object(
    {
      policy: Type.Enum(["minute", "day"], { description: "The name it has in `RateLimit-Policy`" }),
      quota: Type.Integer({ description: "Requests allowed in the window" }),
      windowSeconds: Type.Integer({ description: "Length of the window in seconds" }),
      used: Type.Integer({ description: "Requests counted in the window that ends now" }),
      remaining: Type.Integer({ description: "Requests that would be admitted now" }),
      resetSeconds: Type.Integer({
        description: "Seconds until the oldest request counted leaves the window; 0 when there is none",
      }),
    },
    { examples: [{ policy: "minute", quota: 60, windowSeconds: 60, used: 1, remaining: 59, resetSeconds: 60 }] },
  ),
)
/** How far an account has come in one window. */
export type Standing = Static<typeof Standing>
