import type { ClockCheck } from "../../domain/clock/model.ts"
import type { ClockCheckStore } from "../../domain/clock/store.ts"
import { readOne, type Stored, theRow, withoutNulls } from "../rows.ts"
import { type None, now, type SqlConnection, sql } from "../statement.ts"

const read = sql<None, Stored<ClockCheck>>`
  SELECT checked_at AS "checkedAt", trusted_at AS "trustedAt", doubted_since AS "doubtedSince"
  FROM clock_checks WHERE name = 'maintenance'`

const put = sql<ClockCheck>`
  INSERT INTO clock_checks (name, checked_at, trusted_at, doubted_since)
  VALUES ('maintenance', ${"checkedAt"}, ${"trustedAt"}, ${"doubtedSince"})
  ON CONFLICT (name) DO UPDATE
  SET checked_at = excluded.checked_at, trusted_at = excluded.trusted_at, doubted_since = excluded.doubted_since`

const databaseTime = sql<None, { time: number }>`SELECT ${now} AS "time"`

export const clockCheckStore = (db: SqlConnection): ClockCheckStore => ({
  read: async () => readOne(db, read, {}, withoutNulls<ClockCheck>),
  put: (check) => db.exec(put, check),
  databaseTime: async () => (await theRow(db, databaseTime, {})).time,
})
