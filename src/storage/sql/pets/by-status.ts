import type { Awaitable } from "../../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type Connection, hot, sql, word } from "../statement.ts"
import { goesOn, type StatusRow, walkAlong } from "./each-status.ts"
import type { Find, Stretch } from "./page.ts"
import { joinedTexts } from "./texts.ts"

type StatusPage = StatusRow & { behind: number; limit: number; bytesMax: number }

const pets = { table: word("pets"), petId: word("id") }

// Walks along each status only as far as the page goes, and joins the texts in the database: a hundred rows cost more than
// their one text. string_agg takes them in the order of the subquery (SQLite keeps it, as PostgreSQL does).
const byStatus = inBothDirections((words) =>
  hot(sql<StatusPage, Stretch<number>>`
    SELECT count AS "count", longest AS "longest", last AS "last", items AS "items", ${goesOn<StatusPage>(pets, words)} AS "more"
    FROM (
      SELECT ${joinedTexts<StatusPage>()}, ${words.farthest}(id) AS last
      FROM (${walkAlong<StatusPage>(word("id, json"), pets, words)}) AS found
    ) AS page`),
)

/** Pets of these statuses in order of id. */
export const findByStatus =
  (db: Connection, statuses: StatusRow, direction: Direction): Find<number> =>
  (behind, limit, bytesMax) =>
    db.one(byStatus[direction], { ...statuses, behind, limit, bytesMax }) as Awaitable<Stretch<number>>
