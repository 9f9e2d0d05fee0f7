import { mebibytes, orUnlimited, quota } from "./kinds.ts"
import type { Topic } from "./setting.ts"

const requests = orUnlimited(quota)

/** Requests that each plan allows; undefined means no limit. */
export const plans = {
  free: {
    variable: "PETSTORE_PLAN_FREE",
    kind: requests,
    default: "60/minute, 1000/day",
    meaning: "Requests that the Free plan allows",
  },
  pro: {
    variable: "PETSTORE_PLAN_PRO",
    kind: requests,
    default: "600/minute, 50000/day",
    meaning: "Requests that the Pro plan allows",
  },
  enterprise: {
    variable: "PETSTORE_PLAN_ENTERPRISE",
    kind: requests,
    default: "unlimited",
    meaning: "Requests that the Enterprise plan allows",
  },
} as const satisfies Topic

/** How many bytes of images an account of each plan may store. */
export const photoBytes = {
  free: {
    variable: "PETSTORE_PHOTOS_FREE",
    kind: mebibytes,
    default: "100",
    meaning: "MiB of images that an account on the Free plan may store",
  },
  pro: {
    variable: "PETSTORE_PHOTOS_PRO",
    kind: mebibytes,
    default: "10240",
    meaning: "MiB of images that an account on the Pro plan may store",
  },
  enterprise: {
    variable: "PETSTORE_PHOTOS_ENTERPRISE",
    kind: mebibytes,
    default: "102400",
    meaning: "MiB of images that an account on the Enterprise plan may store",
  },
} as const satisfies Topic
