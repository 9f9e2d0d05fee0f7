import { mebibytes, orUnlimited, quota } from "./kinds.ts"
import type { Topic } from "./setting.ts"

const requestsOf = <const Variable extends string>(plan: string, variable: Variable, usual: string) => ({
  variable,
  kind: orUnlimited(quota),
  default: usual,
  meaning: `Requests that the ${plan} plan allows`,
})

/** Requests that each plan allows; undefined means no limit. */
export const plans = {
  free: requestsOf("Free", "PETSTORE_PLAN_FREE", "60/minute, 1000/day"),
  pro: requestsOf("Pro", "PETSTORE_PLAN_PRO", "600/minute, 50000/day"),
  enterprise: requestsOf("Enterprise", "PETSTORE_PLAN_ENTERPRISE", "unlimited"),
} satisfies Topic

const imagesOf = <const Variable extends string>(plan: string, variable: Variable, usual: string) => ({
  variable,
  kind: mebibytes,
  default: usual,
  meaning: `MiB of images that an account on the ${plan} plan may store`,
})

/** How many bytes of images an account of each plan may store. */
export const photoBytes = {
  free: imagesOf("Free", "PETSTORE_PHOTOS_FREE", "100"),
  pro: imagesOf("Pro", "PETSTORE_PHOTOS_PRO", "10240"),
  enterprise: imagesOf("Enterprise", "PETSTORE_PHOTOS_ENTERPRISE", "102400"),
} satisfies Topic
