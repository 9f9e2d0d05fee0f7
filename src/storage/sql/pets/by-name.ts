import { andThen } from "../../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type Connection, hot, integers, part, sql, word } from "../statement.ts"
import { alongEachStatus, farEnough, type StatusName, type StatusRow } from "./each-status.ts"
import { keyAbove } from "./name-key.ts"
import type { Find } from "./page.ts"
import { joinedTexts, readTexts, splitIds, type Texts, type TextsRow } from "./texts.ts"

/** A place in a list in order of name. */
type NamePlace = { key: string; id: number }

type NameRow = StatusRow & { key: string; behind: number; end: string; limit: number }

// With one bound at each end of the walk: of two at one end, the database would choose which one the index is used for.
const walk = inBothDirections(({ behind, order }) => {
  const within = word(order.word === "DESC" ? ">=" : "<")
  const byName = part<NameRow>`name_key ${order}, id ${order}`
  const ofStatus = (status: StatusName) => part<NameRow>`
      SELECT name_key, id FROM pets
      WHERE status = ${status} AND (name_key, id) ${behind} (${"key"}, ${"behind"}) AND name_key ${within} ${"end"}${farEnough(byName)}`
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

/** Pets of these statuses whose key begins with `prefix`, in order of name. */
export const findByName =
  (db: Connection, statuses: StatusRow, prefix: string, direction: Direction): Find<NamePlace> =>
  ({ key, id }, limit, bytesMax) => {
    const end = direction === "ascending" ? keyAbove(prefix) : prefix
    // One id more than asked for tells whether the list goes on.
    const walking = db.one(walk[direction], { ...statuses, key, behind: id, end, limit: limit + 1 })
    const texts = andThen(undefined, walking, (_, row) =>
      readTexts(db, these[direction], splitIds(row?.ids), { limit, bytesMax }),
    )
    return andThen(undefined, texts, (_, { key, last: id, ...stretch }) => ({
      ...stretch,
      last: id === null || key === null ? null : { key, id },
    }))
  }

/** Where a list in order of name starts: at its beginning, or behind a place that lies in it. */
export function nameStart(prefix: string, direction: Direction, place: NamePlace | undefined): NamePlace {
  const start = { key: direction === "ascending" ? prefix : keyAbove(prefix), id: 0 }
  if (place === undefined) return start
  const isWithin = direction === "ascending" ? compare(place.key, start.key) >= 0 : compare(place.key, start.key) < 0
  return isWithin ? place : start
}

/** By code points, as the database does; JavaScript's own order is another one above U+FFFF. */
const compare = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
