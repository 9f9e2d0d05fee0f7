// Decision: docs/decisions/storage-postgres.md#leases-are-rows-by-the-clock-of-the-database

import type { LeaseStore } from "../../domain/ports/replicas.ts"
import { now, type SqlConnection, sql } from "../statement.ts"

const take = sql<{ name: string; holder: string; durationMs: number }>`
  INSERT INTO leases (name, holder, ends_at) VALUES (${"name"}, ${"holder"}, ${now} + ${"durationMs"})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
  WHERE leases.holder = excluded.holder OR leases.ends_at <= ${now}`

const release = sql<{ name: string; holder: string }>`
  DELETE FROM leases WHERE name = ${"name"} AND holder = ${"holder"}`

export const leaseStore = (db: SqlConnection): LeaseStore => ({
  take: async (name, holder, durationMs) => (await db.run(take, { name, holder, durationMs })) > 0,
  release: (name, holder) => db.exec(release, { name, holder }),
})
