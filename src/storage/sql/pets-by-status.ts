import type { PetStatus } from "../../domain/pets/contract.ts"
import type { Awaitable } from "../../kernel/awaitable.ts"
import { type Direction, inBothDirections } from "./direction.ts"
import type { Find, Stretch } from "./pet-page.ts"
import { type Connection, hot, sql } from "./statement.ts"

/** The statuses a list is about, each once. */
export type StatusRow = { oneStatus: PetStatus | null; otherStatus: PetStatus | null; thirdStatus: PetStatus | null }

export function toStatusRow(statuses: readonly PetStatus[]): StatusRow {
  const [oneStatus = null, otherStatus = null, thirdStatus = null] = new Set(statuses)
  return { oneStatus, otherStatus, thirdStatus }
}

// Walks along each status only as far as the page goes, and joins the texts in the database: a hundred rows cost more than
// their one text. string_agg takes them in the order of the subquery (SQLite keeps it, as PostgreSQL does).
const byStatus = inBothDirections(({ behind, order, farthest }) =>
  hot(sql<StatusRow & { behind: number; limit: number }, Stretch<number>>`
    SELECT count AS "count", last AS "last", items AS "items", CASE WHEN EXISTS (
      SELECT 1 FROM pets WHERE status IN (${"oneStatus"}, ${"otherStatus"}, ${"thirdStatus"}) AND id ${behind} last
    ) THEN 1 ELSE 0 END AS "more"
    FROM (
      SELECT count(*) AS count, ${farthest}(id) AS last, '[' || string_agg(json, ',') || ']' AS items FROM (
        SELECT id, json FROM pets WHERE status = ${"oneStatus"} AND id ${behind} ${"behind"}
        UNION ALL
        SELECT id, json FROM pets WHERE status = ${"otherStatus"} AND id ${behind} ${"behind"}
        UNION ALL
        SELECT id, json FROM pets WHERE status = ${"thirdStatus"} AND id ${behind} ${"behind"}
        ORDER BY id ${order} LIMIT ${"limit"}
      ) AS found
    ) AS page`),
)

/** Pets of these statuses in order of id. */
export const findByStatus =
  (db: Connection, statuses: StatusRow, direction: Direction): Find<number> =>
  (behind, limit) =>
    db.one(byStatus[direction], { ...statuses, behind, limit }) as Awaitable<Stretch<number>>
