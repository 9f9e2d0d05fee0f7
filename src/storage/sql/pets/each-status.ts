import { PetStatus } from "../../../domain/pets/contract.ts"
import type { Words } from "../direction.ts"
import { hot, inDialect, joined, type Part, part, sql, word } from "../statement.ts"
import { rowsAtOnce, type Stretch } from "./page.ts"
import { joinedTexts } from "./texts.ts"

/** What a statement calls one of the statuses it binds. */
export type StatusName = `status${number}`

/** Names that statements bind a status to, one for each that a pet can have: a list may be about all of them. */
const statusNames = PetStatus.enum.map((_, n): StatusName => `status${n + 1}`)

/** The statuses a list is about, each once; the rest is null. */
export type StatusRow = { [name: StatusName]: PetStatus | null }

export function toStatusRow(statuses: readonly PetStatus[]): StatusRow {
  const wanted = new Set(statuses).values()
  const row: StatusRow = {}
  for (const name of statusNames) row[name] = wanted.next().value ?? null
  return row
}

/** The most a walk is asked for: one more tells whether the list goes on. */
const walkMax = word(String(rowsAtOnce + 1))

type Word = ReturnType<typeof word>
type Walking = StatusRow & { labelId?: number; behind: number; limit: number }
/** Rows of pets: in a table, with the id of a pet in a column, and, where they are those of a label, its id in another. */
type Rows = { table: Word; petId: Word; labelId?: Word }
/** What a walk returns, behind which place it starts, and how far it goes. */
type Way<In> = { columns: Word; place: Part<In>; limit: Word }

const nothing = word("")

/**
 * The rows of a status behind a place, in order of id along the index of label and status, as far as `limit`. PostgreSQL would
 * go along the ids past all rows of other statuses, or sort all of this one, depending on what it believes about the
 * values; this way it does not see them, and only the index has the order it is asked for.
 */
function ofStatus<In extends Walking>(
  status: StatusName,
  { table, petId, labelId }: Rows,
  { behind, upTo, order }: Words,
  { columns, place, limit }: Way<In>,
): Part<In> {
  const label = "labelId" as keyof In & string
  const [has, given, hasGiven] = labelId
    ? [
        part<In>`${labelId} = ${label} AND `,
        part<In>`CAST(${label} AS BIGINT) AS label, `,
        part`${labelId} = label AND `,
      ]
    : [nothing, nothing, nothing]
  return part<In>`${inDialect<In>({
    sqlite: part`SELECT ${columns} FROM ${table} WHERE ${has}status = ${status} AND ${petId} ${behind} ${place}`,
    postgres: part`
          SELECT found.* FROM (SELECT ${given}CAST(${status} AS TEXT) AS wanted OFFSET 0) AS walk, LATERAL (
            SELECT ${columns} FROM ${table}
            WHERE ${hasGiven}status ${upTo} wanted AND (status, ${petId}) ${behind} (wanted, ${place})
            ORDER BY status ${order}, ${petId} ${order} LIMIT ${limit}
          ) AS found`,
  })}`
}

/** Rows behind a place, of all wanted statuses in order of id. */
export function walkAlong<In extends Walking>(columns: Word, rows: Rows, words: Words): Part<In> {
  const way = { columns, place: part<In>`${"behind" as keyof In & string}`, limit: walkMax }
  return alongEachStatus<In>((status) => ofStatus(status, rows, words, way), part`id ${words.order}`)
}

/**
 * A page of pets in one statement, which is what most lists are: `found` yields id and json of its pets in order. The texts are joined
 * in the database: a hundred rows cost more than their one text. string_agg takes them in the order of the subquery (SQLite
 * keeps it, as PostgreSQL does).
 */
export const pageAlong = <In extends Walking & { bytesMax: number }>(rows: Rows, words: Words, found: Part<In>) =>
  hot(sql<In, Stretch<number>>`
    SELECT count AS "count", longest AS "longest", last AS "last", items AS "items", ${goesOn<In>(rows, words)} AS "more"
    FROM (SELECT ${joinedTexts<In>()}, ${words.farthest}(id) AS last FROM (${found}) AS found) AS page`)

/** Whether there are more behind the place `last`: 1 or 0. */
function goesOn<In extends Walking>(rows: Rows, words: Words): Part<In> {
  const way = { columns: word("1"), place: part<In>`last`, limit: word("1") }
  const next = (status: StatusName) => part<In>`(${ofStatus(status, rows, words, way)} LIMIT 1)`
  return part<In>`coalesce(${joined(statusNames.map(next), ", ")}, 0)`
}

/** What the walks along the index of each status find, in one order. */
export function alongEachStatus<In extends Walking>(walk: (status: StatusName) => Part<In>, order: Part<In>): Part<In> {
  const walks = statusNames.map(walk)
  return part<In>`${inDialect<In>({
    sqlite: joined(walks, " UNION ALL "),
    postgres: part`(${joined(walks, ") UNION ALL (")})`,
  })} ORDER BY ${order} LIMIT ${"limit" as keyof In & string}`
}

/**
 * Ends a walk. SQLite goes along each only as far as the page does; PostgreSQL has to be told how far that is at most, by a
 * number it knows when it plans.
 */
export const farEnough = <In>(order: Part<In>): Part<In> =>
  part<In>`${inDialect<In>({ sqlite: part``, postgres: part` ORDER BY ${order} LIMIT ${walkMax}` })}`
