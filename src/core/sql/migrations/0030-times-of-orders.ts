import type { Dialect } from "../dialect.ts"

/** When an order was placed: NULL for those that were no longer waiting before this migration. */
export const up = ({ integer }: Dialect) => [
  `ALTER TABLE orders ADD COLUMN placed_at ${integer}`,
  `UPDATE orders SET placed_at = waiting_since`,
]
