import type { Awaitable } from "../../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type SqlConnection, word } from "../statement.ts"
import { pageAlong, type StatusRow, walkAlong } from "./each-status.ts"
import type { Find, Stretch } from "./page.ts"

type StatusPage = StatusRow & { behind: number; limit: number; bytesMax: number }

const pets = { table: word("pets"), petId: word("id") }

// Reads each status only as far as the page needs.
const byStatus = inBothDirections((words) =>
  pageAlong<StatusPage>(pets, words, walkAlong<StatusPage>(word("id, json"), pets, words)),
)

export const findByStatus =
  (db: SqlConnection, statuses: StatusRow, direction: Direction): Find<number> =>
  (behind, limit, bytesMax) =>
    db.one(byStatus[direction], { ...statuses, behind, limit, bytesMax }) as Awaitable<Stretch<number>>
