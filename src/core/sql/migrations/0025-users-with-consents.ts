import type { Dialect } from "../dialect.ts"

/** Applications know the id of a user who has consented to one. Of deleted users it is not recorded whether they had. */
export const up = ({ integer }: Dialect) => [
  `ALTER TABLE users ADD COLUMN has_consented ${integer} NOT NULL DEFAULT 0`,
  `UPDATE users SET has_consented = 1
   WHERE json IS NULL OR id IN (SELECT user_id FROM oauth_records WHERE user_id IS NOT NULL)`,
]
