import type { ReplicaStore } from "../../domain/ports/replicas.ts"
import { theRow } from "../rows.ts"
import { type None, now, type SqlConnection, sql, word } from "../statement.ts"

/** A process without a heartbeat for this time has ended. */
const silenceMs = 15_000

const beat = sql<{ id: string }>`
  INSERT INTO replicas (id, seen_at) VALUES (${"id"}, ${now})
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`

const removeSilent = sql<{ durationMs: number }>`DELETE FROM replicas WHERE seen_at <= ${now} - ${"durationMs"}`

export const countLive = sql<None, { count: number }>`
  SELECT count(*) AS "count" FROM replicas WHERE seen_at > ${now} - ${word(String(silenceMs))}`

const count = sql<None, { count: number }>`SELECT count(*) AS "count" FROM replicas`

const leave = sql<{ id: string }>`DELETE FROM replicas WHERE id = ${"id"}`

export const replicaStore = (db: SqlConnection): ReplicaStore => ({
  async beat(id) {
    await db.run(removeSilent, { durationMs: silenceMs })
    await db.run(beat, { id })
    return (await theRow(db, count, {})).count
  },
  leave: (id) => db.exec(leave, { id }),
})
