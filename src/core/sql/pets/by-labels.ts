// Decision: docs/decisions/storage-sql.md#category-and-tag-are-combined-from-the-rarer-side

import type { LabelKind } from "../../domain/pets/store.ts"
import { type Direction, inBothDirections } from "../direction.ts"
import { type Find, rowsAtOnce } from "../pages/page.ts"
import { findTexts, splitIds } from "../pages/texts.ts"
import { type Fragment, fragment, hot, inDialect, integers, type SqlConnection, sql, word } from "../statement.ts"
import {
  emptyPage,
  endOf,
  idsByLabel,
  type LabelId,
  labelled,
  mergeWalks,
  type ReadIds,
  readLabelIds,
  type Stretch,
  smallestRead,
} from "./by-label.ts"
import { type StatusRow, walkAlong } from "./each-status.ts"

/** Look-ups at most for a stretch of a page, of a pet under a label: when few match, the page ends early. */
const lookUpsMax = 320
/** Those before the rarer side is determined. */
const firstLookUps = 160
/** Pets of each side that show which one is rarer. */
const sampleSize = 32

type BothRow = StatusRow & { labelId: number; after: number; limit: number; others: string }

type Examined = { ids: string | null; count: number; last: number | null }

/** Examines pets along a label for those that also have one of the `others`, of the other kind, by that kind's index. */
const examine = (kind: LabelKind, other: Fragment<BothRow>) =>
  inBothDirections((words) => {
    const rows = labelled[kind]
    const columns = word(`${rows.petId.word} AS id, status`)
    return hot(sql<BothRow, Examined>`
      SELECT string_agg(CAST(id AS TEXT), ',') FILTER (WHERE EXISTS (${other})) AS "ids", count(*) AS "count",
             ${words.farthest}(id) AS "last"
      FROM (${walkAlong<BothRow>(columns, rows, words)}
      ) AS walked`)
  })

const ofTags = fragment<BothRow>`
        SELECT 1 FROM pet_tags WHERE tag_id IN (${integers("others")}) AND status = walked.status AND pet_id = walked.id`

const ofCategories = fragment<BothRow>`
        category_id IN (${integers("others")}) AND status = walked.status AND id = walked.id`

// SQLite would read the row of the pet, whose category is behind its text. OFFSET keeps PostgreSQL from a join.
const statements = {
  categories: examine(
    "categories",
    fragment`${inDialect<BothRow>({ sqlite: ofTags, postgres: fragment`${ofTags} OFFSET 0` })}`,
  ),
  tags: examine(
    "tags",
    fragment`${inDialect<BothRow>({
      sqlite: fragment`SELECT 1 FROM pets INDEXED BY pets_by_category WHERE ${ofCategories}`,
      postgres: fragment`SELECT 1 FROM pets WHERE ${ofCategories} OFFSET 0`,
    })}`,
  ),
}

type Wanted = { categories: readonly string[]; tags: readonly string[] }

/** A page in one direction, and the ids of its labels. */
type Both = { labels: Record<LabelKind, readonly LabelId[]>; statuses: StatusRow; direction: Direction }

/** Pets of these statuses with any of the categories and any of the tags. */
export const findByLabels =
  (db: SqlConnection, { categories, tags }: Wanted, statuses: StatusRow, direction: Direction): Find<number> =>
  async (after, limit, bytesMax) => {
    const labels = {
      categories: await readLabelIds(db, "categories", categories),
      tags: await readLabelIds(db, "tags", tags),
    }
    if (labels.categories.length === 0 || labels.tags.length === 0) return emptyPage
    const { ids, position } = await findBoth(db, { labels, statuses, direction }, after, limit + 1)
    const stretch = await findTexts(db, "pets", ids, direction, { limit, bytesMax })
    return ids.length > limit || position === endOf(direction)
      ? stretch
      : { ...stretch, items: stretch.items ?? "[]", longest: stretch.longest ?? 0, last: position, more: 1, ends: true }
  }

/** Most pages are full after a few tagged pets; otherwise those of the rarer side are examined. */
async function findBoth(db: SqlConnection, both: Both, after: number, limit: number): Promise<Stretch> {
  const { direction, labels, statuses } = both
  const walk = (kind: LabelKind, from: Start) =>
    mergeWalks(readBoth(db, kind, both, from), labels[kind], direction, from)
  const first = await walk("tags", { after, limit, lookUps: firstLookUps, perMatch: 1.5 })
  const missing = limit - first.ids.length
  if (missing === 0 || first.position === endOf(direction)) return first

  const sample = (kind: LabelKind) =>
    idsByLabel(db, kind, labels[kind], statuses, direction)(first.position, sampleSize)
  const isCategoryRarer =
    first.ids.length < limit / 4 && leadsFarther(await sample("categories"), await sample("tags"), direction)
  const { ids, position } = await walk(isCategoryRarer ? "categories" : "tags", {
    after: first.position,
    limit: missing,
    lookUps: lookUpsMax - firstLookUps,
    perMatch: firstLookUps / (first.ids.length + 1),
  })
  return { ids: [...first.ids, ...ids], position }
}

/** A walk for up to `limit` pets after a position, with so many look-ups; one in `perMatch` pets probably matches. */
type Start = { after: number; limit: number; lookUps: number; perMatch: number }

/** Reads pets along labels of this kind that the other kind has too. */
function readBoth(db: SqlConnection, kind: LabelKind, { labels, statuses, direction }: Both, start: Start): ReadIds {
  const others = labels[kind === "tags" ? "categories" : "tags"]
  const bound = { ...statuses, others: JSON.stringify(others.map(({ id }) => id)) }
  let left = Math.max(rowsAtOnce, Math.floor(start.lookUps / others.length))
  // A page gets farther along each label, however many there are.
  const share = Math.max(smallestRead, Math.ceil(left / labels[kind].length))
  return async (labelId, after, wanted) => {
    const most = after === start.after ? share : left
    const limit = Math.min(most, rowsAtOnce, Math.ceil((wanted + smallestRead) * start.perMatch))
    if (limit <= 0) return { ids: [], position: after }
    left -= limit
    const row = (await db.one(statements[kind][direction], { ...bound, labelId, after, limit })) as Examined
    return { ids: splitIds(row.ids), position: row.count < limit ? endOf(direction) : (row.last as number) }
  }
}

/** Whether the first stretch ends behind the second; one that is shorter than asked ends behind all others. */
function leadsFarther(one: readonly number[], other: readonly number[], direction: Direction): boolean {
  if (one.length < sampleSize || other.length < sampleSize) return one.length <= other.length
  const [end, otherEnd] = [one.at(-1) as number, other.at(-1) as number]
  return direction === "ascending" ? end > otherEnd : end < otherEnd
}
