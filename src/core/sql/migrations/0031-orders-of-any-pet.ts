import type { Dialect } from "../dialect.ts"

/**
 * An order of v2 may be for a pet that is not available or does not exist: it reserves no pet, and there may be any number of them.
 * The previous version treats them as other orders.
 */
export const up = ({ integer }: Dialect) => [
  `ALTER TABLE orders ADD COLUMN reserves_pet ${integer} NOT NULL DEFAULT 1`,
  `DROP INDEX orders_open_for_pet`,
  `CREATE UNIQUE INDEX orders_reserving_pet ON orders (pet_id) WHERE reserves_pet = 1 AND status IN ('placed', 'approved')`,
]
