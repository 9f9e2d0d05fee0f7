import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { fragment, integers, pageOfPets, type SqlConnection, type Statement, sql } from "../statement.ts"
import type { Chunk } from "./page.ts"

/**
 * Columns over rows of pets: their number, the bytes of the longest, and the texts up to `bytesMax` as one array. Neither
 * database reads a text for its length, or one that the filter excludes.
 */
export const joinedTexts = <In extends { bytesMax: number }>() =>
  fragment<In>`count(*) AS "count", max(octet_length(json)) AS "longest",
        '[' || string_agg(json, ',') FILTER (WHERE octet_length(json) <= ${"bytesMax" as keyof In & string}) || ']' AS "items"`

type StretchBounds = { limit: number; bytesMax: number }

export type TextsRow = { ids: string; bytesMax: number }

export type Texts = Pick<Chunk<number>, "count" | "items" | "longest">

const these = inBothDirections(({ order }) =>
  pageOfPets(sql<TextsRow, Texts>`
    SELECT ${joinedTexts<TextsRow>()} FROM (
      SELECT id, json FROM pets WHERE id IN (${integers("ids")}) ORDER BY id ${order}
    ) AS page`),
)

export type RestRow = { id: number; json: string | null; bytes: number }

/** These pets, for a connection that remembers texts; those of more than `bytesMax` bytes are not read. */
export const restOfTexts = sql<TextsRow, RestRow>`
  SELECT id, CASE WHEN octet_length(json) <= ${"bytesMax"} THEN json END AS json, octet_length(json) AS bytes
  FROM pets WHERE id IN (${integers("ids")})`

/** The first `limit` of these pets, ordered by id. */
export const findPetTexts = (
  db: SqlConnection,
  ids: readonly number[],
  direction: Direction,
  bounds: StretchBounds,
): Awaitable<Chunk<number>> => readPetTexts(db, these[direction], ids, bounds)

/** The texts of the first `limit` of these pets, which are in the order of the statement. */
export const readPetTexts = <Found extends Texts>(
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
