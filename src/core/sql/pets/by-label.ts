// Decision: docs/decisions/storage-sql.md#lists-of-pets-filter-only-by-what-has-an-index

import type { LabelKind } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, directions, inBothDirections } from "../direction.ts"
import { elements, fragment, type SqlConnection, sql, word } from "../statement.ts"
import { idsAlong, pageAlong, type StatusRow, walkAlong } from "./each-status.ts"
import type { Chunk, Find } from "./page.ts"
import { findPetTexts, splitIds } from "./texts.ts"

type LabelRow = StatusRow & { labelId: number; after: number; limit: number }
type LabelPage = LabelRow & { bytesMax: number }

/** The statements for a kind of label; `table` holds pets with their labels. */
function statementsFor(kind: LabelKind, table: string, labelId: string, petId: string) {
  const rows = { table: word(table), labelId: word(labelId), petId: word(petId) }
  const id = word(`${petId} AS id`)
  return {
    labels: sql<{ wanted: string }, { id: number }>`
      SELECT id FROM ${word(kind)} WHERE name IN (${elements("wanted")})`,
    ids: inBothDirections((words) => idsAlong<LabelRow>(rows, words)),
    page: inBothDirections((words) => {
      const ids = walkAlong<LabelPage>(id, rows, words)
      const found = fragment<LabelPage>`SELECT id, json FROM pets WHERE id IN (${ids}) ORDER BY id ${words.order}`
      return pageAlong<LabelPage>(rows, words, found)
    }),
  }
}

const statements = {
  categories: statementsFor("categories", "pets", "category_id", "id"),
  tags: statementsFor("tags", "pet_tags", "tag_id", "pet_id"),
}

/** The ids of these labels, of those that exist. */
export const readLabelIds = (
  db: SqlConnection,
  kind: LabelKind,
  names: readonly string[],
): Awaitable<readonly { id: number }[]> => db.all(statements[kind].labels, { wanted: JSON.stringify(names) })

/** Up to `limit` ids of pets after a position. */
export type FindIds = (after: number, limit: number) => Awaitable<number[]>

/** Ids of the pets of these statuses with any of the labels, each once; reads each label only as far as needed. */
export function idsByLabel(
  db: SqlConnection,
  kind: LabelKind,
  labels: readonly { id: number }[],
  statuses: StatusRow,
  direction: Direction,
): FindIds {
  const readIds: ReadIds = (labelId, after, most) =>
    andThen(
      undefined,
      db.one(statements[kind].ids[direction], { ...statuses, labelId, after, limit: most }),
      (_, row) => splitIds(row?.ids),
    )
  return (after, limit) => mergeWalks(readIds, labels, direction, after, limit)
}

/** Pets of these statuses with any of the labels, each once; reads each label only as far as the page needs. */
export const findByLabel =
  (
    db: SqlConnection,
    kind: LabelKind,
    names: readonly string[],
    statuses: StatusRow,
    direction: Direction,
  ): Find<number> =>
  (after, limit, bytesMax) =>
    andThen(undefined, readLabelIds(db, kind, names), (_, labels) => {
      const [first, ...others] = labels
      if (!first) return emptyPage
      if (others.length === 0) {
        const page = db.one(statements[kind].page[direction], {
          ...statuses,
          labelId: first.id,
          after,
          limit,
          bytesMax,
        })
        return page as Awaitable<Chunk<number>>
      }
      // One more id shows whether the list continues.
      return andThen(undefined, idsByLabel(db, kind, labels, statuses, direction)(after, limit + 1), (_, ids) =>
        findPetTexts(db, ids, direction, { limit, bytesMax }),
      )
    })

/** A list without pets. */
export const emptyPage = { items: null, count: 0, longest: null, last: null, more: 0 }

type ReadIds = (labelId: number, after: number, limit: number) => Awaitable<number[]>

const smallestRead = 8

/** Merges the ids of all labels, up to `limit`, each once; reads each label only as far as needed. */
async function mergeWalks(
  readIds: ReadIds,
  labels: readonly { id: number }[],
  direction: Direction,
  after: number,
  limit: number,
): Promise<number[]> {
  const idsAtOnce = Math.max(smallestRead, Math.ceil(limit / labels.length))
  const end = directions[direction === "ascending" ? "descending" : "ascending"].start
  const nearest = direction === "ascending" ? Math.min : Math.max
  const walks = await Promise.all(
    labels.map(({ id }) => advance(readIds, { id, after, limit: idsAtOnce, ahead: [] }, end)),
  )

  const found: number[] = []
  while (found.length < limit) {
    const next = nearest(end, ...walks.map(({ ahead }) => ahead.at(-1) ?? end))
    if (next === end) break
    found.push(next)
    for (const walk of walks) {
      if (walk.ahead.at(-1) !== next) continue
      walk.ahead.pop()
      if (walk.ahead.length === 0) await advance(readIds, walk, end)
    }
  }
  return found
}

/** The progress along one label; `ahead` holds the ids it has read, the next one last. */
type Walk = { id: number; after: number; limit: number; ahead: number[] }

async function advance(readIds: ReadIds, walk: Walk, end: number): Promise<Walk> {
  walk.ahead = (await readIds(walk.id, walk.after, walk.limit)).reverse()
  walk.after = walk.ahead[0] ?? end
  return walk
}
