// Decision: docs/decisions/storage-postgres.md#lists-walk-an-index-that-the-planner-cannot-avoid

import { PetStatus } from "../../domain/pets/contract.ts"
import type { Words } from "../direction.ts"
import { type Chunk, rowsAtOnce } from "../pages/page.ts"
import { joinedTexts } from "../pages/texts.ts"
import { type Fragment, fragment, hot, inDialect, joined, pageOfTexts, sql, type Word, word } from "../statement.ts"

/** The name under which a statement binds a status. */
export type StatusName = `status${number}`

/** One name for each status that a pet can have: a list may include all of them. */
const statusNames = PetStatus.enum.map((_, n): StatusName => `status${n + 1}`)

/** The statuses of a list, each once; the rest is null. */
export type StatusRow = { [name: StatusName]: PetStatus | null }

export function toStatusRow(statuses: readonly PetStatus[]): StatusRow {
  const wanted = new Set(statuses).values()
  const row: StatusRow = {}
  for (const name of statusNames) row[name] = wanted.next().value ?? null
  return row
}

/** Maximum rows of a walk: one more shows whether the list continues. */
const walkMax = word(String(rowsAtOnce + 1))

type Walking = StatusRow & { labelId?: number; after: number; limit: number }
/** A table with a column for the pet's id and, for a label's pets, one for the label's id. */
type Rows = { table: Word; petId: Word; labelId?: Word }
/** The columns that a walk returns, where it starts, and its length. */
type WalkShape<In> = { columns: Word; position: Fragment<In>; limit: Word }

const noCondition = word("")

/**
 * The rows of a status after a position, ordered by id, along the index of label and status. Depending on its statistics,
 * PostgreSQL would scan the ids of other statuses too, or sort all rows of this one; here it does not see the values, and
 * only the index has the requested order.
 */
function ofStatus<In extends Walking>(
  status: StatusName,
  { table, petId, labelId }: Rows,
  { beyond, upTo, order }: Words,
  { columns, position, limit }: WalkShape<In>,
): Fragment<In> {
  const label = "labelId" as keyof In & string
  const [has, given, hasGiven] = labelId
    ? [
        fragment<In>`${labelId} = ${label} AND `,
        fragment<In>`CAST(${label} AS BIGINT) AS label, `,
        fragment`${labelId} = label AND `,
      ]
    : [noCondition, noCondition, noCondition]
  return fragment<In>`${inDialect<In>({
    sqlite: fragment`SELECT ${columns} FROM ${table} WHERE ${has}status = ${status} AND ${petId} ${beyond} ${position}`,
    postgres: fragment`
          SELECT found.* FROM (SELECT ${given}CAST(${status} AS TEXT) AS wanted OFFSET 0) AS walk, LATERAL (
            SELECT ${columns} FROM ${table}
            WHERE ${hasGiven}status ${upTo} wanted AND (status, ${petId}) ${beyond} (wanted, ${position})
            ORDER BY status ${order}, ${petId} ${order} LIMIT ${limit}
          ) AS found`,
  })}`
}

/** Rows after a position, of all wanted statuses, ordered by id. */
export function walkAlong<In extends Walking>(columns: Word, rows: Rows, words: Words): Fragment<In> {
  const way = { columns, position: fragment<In>`${"after" as keyof In & string}`, limit: walkMax }
  return alongEachStatus<In>((status) => ofStatus(status, rows, words, way), fragment`id ${words.order}`)
}

/** The ids of such a walk, as one text: a hundred rows cost more than the walk. */
export const idsAlong = <In extends Walking>(rows: Rows, words: Words) =>
  hot(sql<In, { ids: string | null }>`
    SELECT string_agg(CAST(id AS TEXT), ',') AS "ids" FROM (${walkAlong<In>(word(`${rows.petId.word} AS id`), rows, words)}
    ) AS walked`)

/**
 * A page of pets in one statement, which serves most lists; `found` yields ids and texts in order. The database joins the
 * texts, because a hundred rows cost more than one text. string_agg keeps the order of the subquery (in SQLite and
 * PostgreSQL).
 */
export const pageAlong = <In extends Walking & { bytesMax: number }>(rows: Rows, words: Words, found: Fragment<In>) =>
  pageOfTexts(
    "pets",
    sql<In, Chunk<number>>`
    SELECT count AS "count", longest AS "longest", last AS "last", items AS "items", ${hasMore<In>(rows, words)} AS "more"
    FROM (SELECT ${joinedTexts<In>()}, ${words.farthest}(id) AS last FROM (${found}) AS found) AS page`,
    idsAlong<In>(rows, words),
  )

/** Whether there are more pets after the position `last`: 1 or 0. */
function hasMore<In extends Walking>(rows: Rows, words: Words): Fragment<In> {
  const way = { columns: word("1"), position: fragment<In>`last`, limit: word("1") }
  const next = (status: StatusName) => fragment<In>`(${ofStatus(status, rows, words, way)} LIMIT 1)`
  return fragment<In>`coalesce(${joined(statusNames.map(next), ", ")}, 0)`
}

/** Merges the walks along the index of each status in one order. */
export function alongEachStatus<In extends Walking>(
  walk: (status: StatusName) => Fragment<In>,
  order: Fragment<In>,
): Fragment<In> {
  const walks = statusNames.map(walk)
  return fragment<In>`${inDialect<In>({
    sqlite: joined(walks, " UNION ALL "),
    postgres: fragment`(${joined(walks, ") UNION ALL (")})`,
  })} ORDER BY ${order} LIMIT ${"limit" as keyof In & string}`
}

/** Ends a walk: PostgreSQL needs a maximum that it knows when it plans; SQLite reads only what the page needs. */
export const scanLimit = <In>(order: Fragment<In>): Fragment<In> =>
  fragment<In>`${inDialect<In>({ sqlite: fragment``, postgres: fragment` ORDER BY ${order} LIMIT ${walkMax}` })}`
