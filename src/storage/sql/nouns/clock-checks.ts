import type { ClockCheckStore } from "../../../domain/clock/store.ts"
import { type Connection, now, sql } from "../statement.ts"

type CheckRow = { checkedAt: number; trustedAt: number; doubtedSince: number | null }

/** There is one row. */
const read = sql<Record<never, never>, CheckRow>`
  SELECT checked_at AS "checkedAt", trusted_at AS "trustedAt", doubted_since AS "doubtedSince"
  FROM clock_checks WHERE name = 'maintenance'`

const put = sql<CheckRow>`
  INSERT INTO clock_checks (name, checked_at, trusted_at, doubted_since)
  VALUES ('maintenance', ${"checkedAt"}, ${"trustedAt"}, ${"doubtedSince"})
  ON CONFLICT (name) DO UPDATE
  SET checked_at = excluded.checked_at, trusted_at = excluded.trusted_at, doubted_since = excluded.doubted_since`

const databaseTime = sql<Record<never, never>, { time: number }>`SELECT ${now} AS "time"`

export const clockCheckStore = (db: Connection): ClockCheckStore => ({
  async read() {
    const row = await db.one(read, {})
    return row && { ...row, doubtedSince: row.doubtedSince ?? undefined }
  },
  async put({ checkedAt, trustedAt, doubtedSince = null }) {
    await db.run(put, { checkedAt, trustedAt, doubtedSince })
  },
  databaseTime: async () => ((await db.one(databaseTime, {})) as { time: number }).time,
})
