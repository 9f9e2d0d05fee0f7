import { andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import type { Find } from "../pages/page.ts"
import { joinedTexts, readTexts, splitIds, type Texts, type TextsRow } from "../pages/texts.ts"
import { fragment, hot, integers, type SqlConnection, sql, word } from "../statement.ts"
import { alongEachStatus, type StatusName, type StatusRow, scanLimit } from "./each-status.ts"
import { keyAbove } from "./name-key.ts"

type NamePosition = { key: string; id: number }

type NameRow = StatusRow & { key: string; after: number; end: string; limit: number }

// One bound at each end: with two at one end, the database would choose which one uses the index.
const walk = inBothDirections(({ beyond, order }) => {
  const within = word(order.word === "DESC" ? ">=" : "<")
  const byName = fragment<NameRow>`name_key ${order}, id ${order}`
  const ofStatus = (status: StatusName) => fragment<NameRow>`
      SELECT name_key, id FROM pets
      WHERE status = ${status} AND (name_key, id) ${beyond} (${"key"}, ${"after"}) AND name_key ${within} ${"end"}${scanLimit(byName)}`
  return hot(sql<NameRow, { ids: string | null }>`
    SELECT string_agg(CAST(id AS TEXT), ',') AS "ids" FROM (
      ${alongEachStatus(ofStatus, byName)}
    ) AS walked`)
})

const these = inBothDirections(({ order, farthest }) =>
  hot(sql<TextsRow, Texts & { key: string | null }>`
    SELECT ${joinedTexts<TextsRow>()}, ${farthest}(name_key) AS "key" FROM (
      SELECT id, name_key, json FROM pets WHERE id IN (${integers("ids")}) ORDER BY name_key ${order}, id ${order}
    ) AS page`),
)

/** Pets of these statuses whose key starts with `prefix`, ordered by name. */
export const findByName =
  (db: SqlConnection, statuses: StatusRow, prefix: string, direction: Direction): Find<NamePosition> =>
  ({ key, id }, limit, bytesMax) => {
    const end = direction === "ascending" ? keyAbove(prefix) : prefix
    // One more id shows whether the list continues.
    const walking = db.one(walk[direction], { ...statuses, key, after: id, end, limit: limit + 1 })
    const texts = andThen(undefined, walking, (_, row) =>
      readTexts(db, these[direction], splitIds(row?.ids), { limit, bytesMax }),
    )
    return andThen(undefined, texts, (_, { key, last: id, ...stretch }) => ({
      ...stretch,
      last: id === null || key === null ? null : { key, id },
    }))
  }

/** The start of a list ordered by name: its beginning, or a position in it. */
export function nameStart(prefix: string, direction: Direction, position: NamePosition | undefined): NamePosition {
  const start = { key: direction === "ascending" ? prefix : keyAbove(prefix), id: 0 }
  if (position === undefined) return start
  const isWithin =
    direction === "ascending" ? compare(position.key, start.key) >= 0 : compare(position.key, start.key) < 0
  return isWithin ? position : start
}

/** By code points, like the database; JavaScript's order differs above U+FFFF. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
