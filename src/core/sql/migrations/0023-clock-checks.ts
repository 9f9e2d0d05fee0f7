import type { Dialect } from "../dialect.ts"

/** The clock as maintenance checked it. The newest entry and event show when the service ran last. */
export const up = ({ integer, tableOptions }: Dialect) => [
  `CREATE TABLE clock_checks (
     name TEXT NOT NULL PRIMARY KEY,
     checked_at ${integer} NOT NULL,
     trusted_at ${integer} NOT NULL,
     doubted_since ${integer}
   ) ${tableOptions}`,
  `INSERT INTO clock_checks (name, checked_at, trusted_at)
   SELECT 'maintenance', newest.at, newest.at
   FROM (SELECT max(at) AS at FROM (
     SELECT max(at) AS at FROM audit
     UNION ALL SELECT created_at FROM events WHERE id = (SELECT max(id) FROM events)
   ) AS known) AS newest
   WHERE newest.at IS NOT NULL`,
]
