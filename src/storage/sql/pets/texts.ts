import { type Awaitable, andThen } from "../../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type Connection, hot, integers, part, type Statement, sql } from "../statement.ts"
import type { Stretch } from "./page.ts"

/**
 * Columns over rows of pets: their number, the bytes of the longest, and the texts up to `bytesMax` as one array. Neither
 * database reads a text for its length, or one that the filter excludes.
 */
export const joinedTexts = <In extends { bytesMax: number }>() =>
  part<In>`count(*) AS "count", max(octet_length(json)) AS "longest",
        '[' || string_agg(json, ',') FILTER (WHERE octet_length(json) <= ${"bytesMax" as keyof In & string}) || ']' AS "items"`

type Asked = { limit: number; bytesMax: number }

export type TextsRow = { ids: string; bytesMax: number }

export type Texts = Pick<Stretch<number>, "count" | "items" | "longest">

const these = inBothDirections(({ order }) =>
  hot(sql<TextsRow, Texts>`
    SELECT ${joinedTexts<TextsRow>()} FROM (
      SELECT id, json FROM pets WHERE id IN (${integers("ids")}) ORDER BY id ${order}
    ) AS page`),
)

/** The first `limit` of these pets, ordered by id. */
export const findTexts = (
  db: Connection,
  ids: readonly number[],
  direction: Direction,
  asked: Asked,
): Awaitable<Stretch<number>> => readTexts(db, these[direction], ids, asked)

/** The texts of the first `limit` of these pets, which are in the order of the statement. */
export const readTexts = <Found extends Texts>(
  db: Connection,
  statement: Statement<TextsRow, Found>,
  ids: readonly number[],
  { limit, bytesMax }: Asked,
): Awaitable<Found & Stretch<number>> => {
  const here = ids.slice(0, limit)
  const rest = { last: here.at(-1) ?? null, more: ids.length > limit ? 1 : 0 }
  return andThen(rest, db.one(statement, { ids: JSON.stringify(here), bytesMax }), (rest, found) => ({
    ...(found as Found),
    ...rest,
  }))
}

export const splitIds = (text: string | null | undefined): number[] => text?.split(",").map(Number) ?? []
