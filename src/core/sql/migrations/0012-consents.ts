import type { Dialect } from "../dialect.ts"

const dayMs = 24 * 60 * 60 * 1000
/** Earlier versions stored lifetimes in days sixty times too long. */
const excessDays = { RefreshToken: 59 * 30, Grant: 59 * 90, Session: 59 }

export const up = ({ integer }: Dialect) => [
  ...Object.entries(excessDays).map(
    ([kind, days]) => `UPDATE oauth_records SET expires_at = expires_at - ${days * dayMs} WHERE kind = '${kind}'`,
  ),

  // The public id of the consent behind a grant.
  `ALTER TABLE oauth_records ADD COLUMN consent_id ${integer}`,
  `UPDATE oauth_records SET consent_id = numbered.n
   FROM (SELECT hash, row_number() OVER (ORDER BY expires_at, hash) AS n FROM oauth_records WHERE kind = 'Grant') AS numbered
   WHERE oauth_records.kind = 'Grant' AND oauth_records.hash = numbered.hash`,
  `INSERT INTO counters (name, last)
   SELECT 'consents', count(*) FROM oauth_records WHERE kind = 'Grant'`,
  `CREATE UNIQUE INDEX oauth_records_by_consent ON oauth_records (consent_id)`,
  `DROP INDEX oauth_records_by_user`,
  `CREATE INDEX oauth_records_by_user_and_consent ON oauth_records (user_id, consent_id)`,
  `CREATE INDEX oauth_records_by_user_and_kind ON oauth_records (user_id, kind, expires_at)`,
]
