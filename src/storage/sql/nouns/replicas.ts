import type { ReplicaStore } from "../../../domain/ports/replicas.ts"
import { type Connection, now, sql } from "../statement.ts"

/** How long a process may be silent before it counts as gone. */
export const silenceMs = 15_000

const beat = sql<{ id: string }>`
  INSERT INTO replicas (id, seen_at) VALUES (${"id"}, ${now})
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`

const forgetSilent = sql<{ durationMs: number }>`DELETE FROM replicas WHERE seen_at <= ${now} - ${"durationMs"}`

const count = sql<Record<never, never>, { count: number }>`SELECT count(*) AS "count" FROM replicas`

const leave = sql<{ id: string }>`DELETE FROM replicas WHERE id = ${"id"}`

/** Only for a database that one process uses at a time. */
export const forgetReplicas = sql<Record<never, never>>`DELETE FROM replicas`

export const replicaStore = (db: Connection): ReplicaStore => ({
  async beat(id) {
    await db.run(forgetSilent, { durationMs: silenceMs })
    await db.run(beat, { id })
    return ((await db.one(count, {})) as { count: number }).count
  },
  async leave(id) {
    await db.run(leave, { id })
  },
})
