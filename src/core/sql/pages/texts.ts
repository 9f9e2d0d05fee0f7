import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import {
  fragment,
  integers,
  pageOfTexts,
  type SqlConnection,
  type Statement,
  sql,
  type TextTable,
  word,
} from "../statement.ts"
import type { Chunk } from "./page.ts"

/**
 * Columns over rows: their number, the bytes of the longest, and the texts up to `bytesMax` as one array. Neither
 * database reads a text for its length, or one that the filter excludes.
 */
export const joinedTexts = <In extends { bytesMax: number }>() =>
  fragment<In>`count(*) AS "count", max(octet_length(json)) AS "longest",
        '[' || string_agg(json, ',') FILTER (WHERE octet_length(json) <= ${"bytesMax" as keyof In & string}) || ']' AS "items"`

type StretchBounds = { limit: number; bytesMax: number }

export type TextsRow = { ids: string; bytesMax: number }

export type Texts = Pick<Chunk<number>, "count" | "items" | "longest" | "texts">

const theseOf = (table: TextTable) =>
  inBothDirections(({ order }) =>
    pageOfTexts(
      table,
      sql<TextsRow, Texts>`
    SELECT ${joinedTexts<TextsRow>()} FROM (
      SELECT id, json FROM ${word(table)} WHERE id IN (${integers("ids")}) ORDER BY id ${order}
    ) AS page`,
    ),
  )

const these = { pets: theseOf("pets"), orders: theseOf("orders") }

export type RestRow = { id: number; json: string | null; bytes: number }

const restOf = (table: TextTable) => sql<TextsRow, RestRow>`
  SELECT id, CASE WHEN octet_length(json) <= ${"bytesMax"} THEN json END AS json, octet_length(json) AS bytes
  FROM ${word(table)} WHERE id IN (${integers("ids")})`

/** These rows, for a connection that keeps texts; those of more than `bytesMax` bytes are not read. */
export const restOfTexts = { pets: restOf("pets"), orders: restOf("orders") }

/** The first `limit` of these rows, ordered by id. */
export const findTexts = (
  db: SqlConnection,
  table: TextTable,
  ids: readonly number[],
  direction: Direction,
  bounds: StretchBounds,
): Awaitable<Chunk<number>> => readTexts(db, these[table][direction], ids, bounds)

/** The texts of the first `limit` of these rows, which are in the order of the statement. */
export const readTexts = <Found extends Texts>(
  db: SqlConnection,
  statement: Statement<TextsRow, Found>,
  ids: readonly number[],
  { limit, bytesMax }: StretchBounds,
): Awaitable<Found & Chunk<number>> => {
  const here = ids.slice(0, limit)
  const rest = { last: here.at(-1) ?? null, more: ids.length > limit ? 1 : 0 }
  return andThen(rest, db.one(statement, { ids: JSON.stringify(here), bytesMax }), (rest, found) => ({
    ...(found as Found),
    ...rest,
  }))
}

export const splitIds = (text: string | null | undefined): number[] => text?.split(",").map(Number) ?? []
