import { days, orUndefined } from "./kinds.ts"
import type { Topic } from "./setting.ts"

/** Longer than all attempts at a delivery take. */
export const eventDaysMin = 7

export const retention = {
  events: {
    variable: "PETSTORE_RETENTION_EVENTS_DAYS",
    kind: days({ min: eventDaysMin }),
    default: "30",
    meaning: "Days that events are kept",
  },
  deliveries: {
    variable: "PETSTORE_RETENTION_DELIVERIES_DAYS",
    kind: days({ min: eventDaysMin }),
    otherwise: "30, or as long as events if that is less",
    meaning: "Days that deliveries to webhooks and their attempts are kept; no longer than events",
  },
  responses: {
    variable: "PETSTORE_RETENTION_IDEMPOTENCY_DAYS",
    kind: days({ min: 1 }),
    default: "1",
    meaning: "Days that responses to requests with an `Idempotency-Key` are kept",
  },
  revokedKeys: {
    variable: "PETSTORE_RETENTION_KEYS_DAYS",
    kind: days({ min: 0 }),
    default: "30",
    meaning: "Days that revoked API keys are kept in the database",
  },
  audit: {
    variable: "PETSTORE_RETENTION_AUDIT_DAYS",
    kind: days({ min: 1 }),
    default: "365",
    meaning: "Days that audit entries are kept",
  },
  /** Undefined means that orders do not expire. */
  placedOrders: {
    variable: "PETSTORE_ORDER_EXPIRY_DAYS",
    kind: orUndefined(days({ min: 1 }), "0"),
    default: "0",
    inProduction: "7",
    meaning: "Days after which the service cancels an unapproved order; 0 disables it",
  },
} as const satisfies Topic
