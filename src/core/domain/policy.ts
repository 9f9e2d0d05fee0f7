/** Rules for anonymous clients and customers, set by the operator. */
export type Policy = {
  /** Whether anonymous clients may register; staff can always register people. */
  registrationIsOpen: boolean
  /** Registrations per address and hour; undefined means unlimited. */
  registrationsPerHour: number | undefined
  /** Address blocks without that limit. */
  unlimitedAddresses: readonly string[]
  /** Minimum length of a new password in characters (code points). */
  passwordLengthMin: number
  /** Open orders per customer; undefined means unlimited. */
  openOrdersMax: number | undefined
  /** Lifetime of a login in milliseconds. */
  sessionMs: number
}

/** Retention periods in milliseconds. */
export type Retention = {
  events: number
  /** Deliveries with their attempts; at most as long as events. */
  deliveries: number
  /** Responses stored for their Idempotency-Key. */
  responses: number
  revokedKeys: number
  audit: number
  /** How long an order waits for approval before it is cancelled; undefined means forever. */
  placedOrders: number | undefined
}
