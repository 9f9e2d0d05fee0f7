import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { type Direction, inBothDirections } from "./direction.ts"
import type { Stretch } from "./pet-page.ts"
import { type Connection, hot, integers, sql } from "./statement.ts"

type Texts = { count: number; items: string | null }

const these = inBothDirections(({ order }) =>
  hot(sql<{ ids: string }, Texts>`
    SELECT count(*) AS "count", '[' || string_agg(json, ',') || ']' AS "items" FROM (
      SELECT id, json FROM pets WHERE id IN (${integers("ids")}) ORDER BY id ${order}
    ) AS page`),
)

/** The first `limit` of these pets, in order of id. */
export const findTexts = (
  db: Connection,
  ids: readonly number[],
  limit: number,
  direction: Direction,
): Awaitable<Stretch<number>> => {
  const here = ids.slice(0, limit)
  const rest = { last: here.at(-1) ?? null, more: ids.length > limit ? 1 : 0 }
  return andThen(rest, db.one(these[direction], { ids: JSON.stringify(here) }), (rest, found) => ({
    ...(found as Texts),
    ...rest,
  }))
}

/** The ids in a text that holds them separated by commas. */
export const splitIds = (text: string | null | undefined): number[] => text?.split(",").map(Number) ?? []
