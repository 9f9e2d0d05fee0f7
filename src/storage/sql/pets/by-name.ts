import { type Awaitable, andThen } from "../../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type Connection, hot, integers, part, sql, word } from "../statement.ts"
import { alongEachStatus, farEnough, type StatusName, type StatusRow } from "./each-status.ts"
import { keyAbove } from "./name-key.ts"
import type { Find, Stretch } from "./page.ts"
import { type Asked, joinedTexts, splitIds } from "./texts.ts"

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

type Texts = Pick<Stretch<NamePlace>, "count" | "items" | "longest"> & { key: string | null }

const these = inBothDirections(({ order, farthest }) =>
  hot(sql<{ ids: string; bytesMax: number }, Texts>`
    SELECT ${joinedTexts<{ bytesMax: number }>()}, ${farthest}(name_key) AS "key" FROM (
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
    return andThen(undefined, walking, (_, row) => findTexts(db, splitIds(row?.ids), { limit, bytesMax, direction }))
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

function findTexts(
  db: Connection,
  ids: readonly number[],
  { limit, bytesMax, direction }: Asked,
): Awaitable<Stretch<NamePlace>> {
  const here = ids.slice(0, limit)
  const id = here.at(-1)
  return andThen(undefined, db.one(these[direction], { ids: JSON.stringify(here), bytesMax }), (_, found) => {
    const { key, ...texts } = found as Texts
    const last = id === undefined || key === null ? null : { key, id }
    return { ...texts, last, more: ids.length > limit ? 1 : 0 }
  })
}
