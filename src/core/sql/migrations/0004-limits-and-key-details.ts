import type { Dialect } from "../dialect.ts"

export const up = ({ integer, tableOptions }: Dialect) => [
  // No reference to accounts: the counts of a deleted account expire after a day, like all others.
  `CREATE TABLE limit_cells (
     account_id ${integer} NOT NULL,
     minute ${integer} NOT NULL,
     count ${integer} NOT NULL,
     offsets TEXT NOT NULL,
     PRIMARY KEY (account_id, minute)
   ) ${tableOptions}`,
  `CREATE INDEX limit_cells_by_minute ON limit_cells (minute)`,

  `ALTER TABLE keys ADD COLUMN allowed_cidrs TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE keys ADD COLUMN created_at ${integer} NOT NULL DEFAULT 0`,
  `ALTER TABLE keys ADD COLUMN rotated_at ${integer}`,
  `ALTER TABLE keys ADD COLUMN last_used_at ${integer}`,
  `CREATE INDEX keys_by_account ON keys (account_id, id)`,
]
