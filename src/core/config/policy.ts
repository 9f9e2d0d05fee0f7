import { choice, hours, integer, orUnlimited } from "./kinds.ts"
import type { Topic } from "./setting.ts"

const count = orUnlimited(integer({ min: 1, max: 999_999 }))

/** Permissions of anonymous clients and customers. */
export const policy = {
  registrationIsOpen: {
    variable: "PETSTORE_REGISTRATION",
    kind: choice({ open: true, closed: false }),
    default: "open",
    meaning: "`open` lets anonymous clients register; with `closed`, only staff register users",
  },
  registrationsPerHour: {
    variable: "PETSTORE_REGISTRATIONS_PER_HOUR",
    kind: count,
    default: "unlimited",
    inProduction: "5",
    meaning: "Users that one address may register per hour (an IPv6 /64 counts as one, a /48 as eight)",
  },
  passwordLengthMin: {
    variable: "PETSTORE_PASSWORD_MIN",
    kind: integer({ min: 1, max: 128 }),
    default: "1",
    inProduction: "8",
    meaning: "Minimum length of a new password in characters; shorter existing passwords stay valid",
  },
  openOrdersMax: {
    variable: "PETSTORE_OPEN_ORDERS",
    kind: count,
    default: "unlimited",
    inProduction: "10",
    meaning: "Undelivered orders that a customer may have; staff are not limited",
  },
  sessionMs: {
    variable: "PETSTORE_SESSION_HOURS",
    kind: hours({ min: 1, max: 720 }),
    default: "12",
    meaning: "Hours after which a login ends",
  },
} as const satisfies Topic
