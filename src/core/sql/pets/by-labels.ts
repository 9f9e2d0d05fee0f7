// Decision: docs/decisions/storage-sql.md#category-and-tag-are-combined-from-the-rarer-side

import type { Direction } from "../direction.ts"
import { elements, type Fragment, fragment, inDialect, integers, type SqlConnection, sql, word } from "../statement.ts"
import { emptyPage, type FindIds, idsByLabel, readLabelIds } from "./by-label.ts"
import type { StatusRow } from "./each-status.ts"
import { type Find, rowsAtOnce } from "./page.ts"
import { findPetTexts } from "./texts.ts"

/** Pets examined at most for a stretch of a page: when few match, the page ends early. */
const examinedMax = 20 * rowsAtOnce

type AmongRow = { ids: string; wanted: string }

const idsOf = (labels: string): Fragment<AmongRow> =>
  fragment<AmongRow>`SELECT id FROM ${word(labels)} WHERE name IN (${elements("wanted")})`

/** Those of these pets that are in one of these categories. The sign keeps the database from the index of a category, which has any number of pets. */
const inCategories = sql<AmongRow, { id: number }>`
  SELECT id FROM pets WHERE id IN (${integers("ids")}) AND +category_id IN (${idsOf("categories")})`

const tagOfPet = fragment<AmongRow>`
  SELECT 1 FROM pet_tags WHERE tag_id IN (${idsOf("tags")}) AND status = pets.status AND pet_id = pets.id`

/** Those of these pets that have one of these tags, looked up for each of them; OFFSET keeps PostgreSQL from a join. */
const withTags = sql<AmongRow, { id: number }>`
  SELECT id FROM pets WHERE id IN (${integers("ids")}) AND EXISTS (
    ${inDialect<AmongRow>({ sqlite: tagOfPet, postgres: fragment`${tagOfPet} OFFSET 0` })}
  )`

/** The pets along one kind of label, and those of other pets that have such a label too. */
type Side = { along: FindIds; having(ids: readonly number[]): Promise<Set<number>> }

type Wanted = { categories: readonly string[]; tags: readonly string[] }

/**
 * Pets of these statuses with any of the categories and any of the tags. A stretch of each side is read, and the one that leads
 * farther is searched for pets of the other: the rarer side decides how many pets are examined.
 */
export const findByLabels =
  (db: SqlConnection, { categories, tags }: Wanted, statuses: StatusRow, direction: Direction): Find<number> =>
  async (after, limit, bytesMax) => {
    const [categoryIds, tagIds] = [
      await readLabelIds(db, "categories", categories),
      await readLabelIds(db, "tags", tags),
    ]
    if (categoryIds.length === 0 || tagIds.length === 0) return emptyPage
    const having = (statement: typeof withTags, names: readonly string[]) => async (ids: readonly number[]) => {
      const found = await db.all(statement, { ids: JSON.stringify(ids), wanted: JSON.stringify(names) })
      return new Set(found.map(({ id }) => id))
    }
    const sides: readonly [Side, Side] = [
      {
        along: idsByLabel(db, "categories", categoryIds, statuses, direction),
        having: having(inCategories, categories),
      },
      { along: idsByLabel(db, "tags", tagIds, statuses, direction), having: having(withTags, tags) },
    ]
    const { ids, examinedTo } = await intersect(sides, direction, after, limit + 1)
    const stretch = await findPetTexts(db, ids, direction, { limit, bytesMax })
    return examinedTo === undefined
      ? stretch
      : {
          ...stretch,
          items: stretch.items ?? "[]",
          longest: stretch.longest ?? 0,
          last: examinedTo,
          more: 1,
          ends: true,
        }
  }

type Intersection = {
  ids: number[]
  /** The last pet that was examined, if the search ended before the list did. */
  examinedTo: number | undefined
}

/** Up to `limit` pets that both sides have, in order. */
async function intersect(
  sides: readonly [Side, Side],
  direction: Direction,
  after: number,
  limit: number,
): Promise<Intersection> {
  const ids: number[] = []
  let position = after
  for (let examined = 0; examined < examinedMax && ids.length < limit; examined += rowsAtOnce) {
    const [one, other] = await Promise.all(sides.map(({ along }) => along(position, rowsAtOnce)))
    const [rare, side] = leadsFarther(one as number[], other as number[], direction)
      ? [one as number[], sides[1]]
      : [other as number[], sides[0]]
    const both = await side.having(rare)
    ids.push(...rare.filter((id) => both.has(id)))
    if (rare.length < rowsAtOnce) return { ids, examinedTo: undefined }
    position = rare.at(-1) as number
  }
  return { ids, examinedTo: ids.length < limit ? position : undefined }
}

/** Whether the first stretch ends behind the second; one that is shorter than asked ends behind all others. */
function leadsFarther(one: readonly number[], other: readonly number[], direction: Direction): boolean {
  if (one.length < rowsAtOnce || other.length < rowsAtOnce) return one.length <= other.length
  const [end, otherEnd] = [one.at(-1) as number, other.at(-1) as number]
  return direction === "ascending" ? end > otherEnd : end < otherEnd
}
