import type { Dialect } from "../dialect.ts"

/** When a pet was added, and last changed if it was: NULL for what happened before this migration. */
export const up = ({ integer }: Dialect) => [
  `ALTER TABLE pets ADD COLUMN created_at ${integer}`,
  `ALTER TABLE pets ADD COLUMN updated_at ${integer}`,
]
