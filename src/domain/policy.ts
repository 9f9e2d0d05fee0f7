/** What an operator decides about strangers and customers. */
export type Policy = {
  /** Whether anybody may register; staff may register people in any case. */
  registrationIsOpen: boolean
  /** People one address may register in an hour; undefined is without limit. */
  registrationsPerHour: number | undefined
  /** Address blocks from which that limit does not hold. */
  unlimitedAddresses: readonly string[]
  /** The least characters (code points) of a password that is given anew. */
  passwordLengthMin: number
  /** Orders a customer may have open at once; undefined is without limit. */
  openOrdersMax: number | undefined
  /** How long a login lasts, in milliseconds. */
  sessionMs: number
}

/** How long things are kept, in milliseconds. */
export type Retention = {
  events: number
  /** Deliveries with their attempts; never longer than events. */
  deliveries: number
  /** Responses kept for their Idempotency-Key. */
  responses: number
  revokedKeys: number
  audit: number
  /** How long an order waits for approval before it is cancelled; undefined is for ever. */
  placedOrders: number | undefined
}
