// Decision: docs/decisions/storage-sql.md#lists-of-pets-filter-only-by-what-has-an-index

import type { LabelKind } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/flow/awaitable.ts"
import { type Direction, directions, inBothDirections } from "../direction.ts"
import type { Chunk, Find } from "../pages/page.ts"
import { findTexts, splitIds } from "../pages/texts.ts"
import { elements, fragment, type SqlConnection, sql, word } from "../statement.ts"
import { idsAlong, pageAlong, type StatusRow, walkAlong } from "./each-status.ts"

export type LabelId = { id: number }
type LabelRow = StatusRow & { labelId: number; after: number; limit: number }
type LabelPage = LabelRow & { bytesMax: number }

/** For each kind of label, the table that has pets with their labels. */
export const labelled = {
  categories: { table: word("pets"), labelId: word("category_id"), petId: word("id") },
  tags: { table: word("pet_tags"), labelId: word("tag_id"), petId: word("pet_id") },
}

function statementsFor(kind: LabelKind) {
  const rows = labelled[kind]
  const id = word(`${rows.petId.word} AS id`)
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

const statements = { categories: statementsFor("categories"), tags: statementsFor("tags") }

/** The ids of these labels, of those that exist. */
export const readLabelIds = (
  db: SqlConnection,
  kind: LabelKind,
  names: readonly string[],
): Awaitable<readonly LabelId[]> => db.all(statements[kind].labels, { wanted: JSON.stringify(names) })

/** Up to `limit` ids of the pets of these statuses with any of the labels, each once; reads each label only as far as needed. */
export function idsByLabel(
  db: SqlConnection,
  kind: LabelKind,
  labels: readonly LabelId[],
  statuses: StatusRow,
  direction: Direction,
): (after: number, limit: number) => Promise<number[]> {
  const end = endOf(direction)
  const readIds: ReadIds = (labelId, after, most) =>
    andThen(end, db.one(statements[kind].ids[direction], { ...statuses, labelId, after, limit: most }), (end, row) => {
      const ids = splitIds(row?.ids)
      return { ids, position: ids.at(-1) ?? end }
    })
  return async (after, limit) => (await mergeWalks(readIds, labels, direction, { after, limit })).ids
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
        findTexts(db, "pets", ids, direction, { limit, bytesMax }),
      )
    })

/** A list without pets. */
export const emptyPage = { items: null, count: 0, longest: null, last: null, more: 0 }

/** Ids along a label, and the position up to which it was read: behind all pets when there are no more. */
export type Stretch = { ids: number[]; position: number }

/** Reads about `limit` ids of a label; a position that stays means that it is read no farther. */
export type ReadIds = (labelId: number, after: number, limit: number) => Awaitable<Stretch>

/** The position behind all pets. */
export const endOf = (direction: Direction): number =>
  directions[direction === "ascending" ? "descending" : "ascending"].start

/** Ids read along a label at least. */
export const smallestRead = 8

/**
 * Merges the ids of all labels, up to `limit`, each once; reads each label only as far as needed. The position is that of a
 * label that is read no farther, if one is reached.
 */
export async function mergeWalks(
  readIds: ReadIds,
  labels: readonly LabelId[],
  direction: Direction,
  { after, limit }: { after: number; limit: number },
): Promise<Stretch> {
  const idsAtOnce = Math.max(smallestRead, Math.ceil(limit / labels.length))
  const end = endOf(direction)
  const nearest = direction === "ascending" ? Math.min : Math.max
  const walks = labels.map(({ id }): Walk => ({ id, position: after, ahead: [] }))
  const found: number[] = []

  while (found.length < limit) {
    const position = nearest(...walks.map(nextOf))
    if (position === end) break
    const behind = walks.filter((walk) => walk.ahead.length === 0 && walk.position === position)
    if (behind.length === 0) {
      found.push(position)
      for (const { ahead } of walks) if (ahead.at(-1) === position) ahead.pop()
      continue
    }
    const most = Math.min(idsAtOnce, Math.max(smallestRead, limit - found.length))
    await Promise.all(behind.map((walk) => advance(readIds, walk, most)))
    if (behind.some((walk) => walk.position === position)) return { ids: found, position }
  }
  return { ids: found, position: end }
}

/** The progress along one label; `ahead` holds the ids it has read up to the position, the next one last. */
type Walk = { id: number; position: number; ahead: number[] }

const nextOf = ({ ahead, position }: Walk): number => ahead.at(-1) ?? position

async function advance(readIds: ReadIds, walk: Walk, limit: number): Promise<void> {
  const { ids, position } = await readIds(walk.id, walk.position, limit)
  walk.ahead = ids.reverse()
  walk.position = position
}
