import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { type Connection, elements, hot, sql } from "./statement.ts"

const tagIds = sql<{ wanted: string }, { id: number }>`SELECT id FROM tags WHERE name IN (${elements("wanted")})`

// As one text, because a hundred rows cost more than the walk.
const newestOf = hot(sql<{ tagId: number; before: number; limit: number }, { ids: string | null }>`
  SELECT string_agg(CAST(id AS TEXT), ',') AS "ids" FROM (
    SELECT pet_id AS id FROM pet_tags WHERE tag_id = ${"tagId"} AND pet_id < ${"before"}
    ORDER BY pet_id DESC LIMIT ${"limit"}
  ) AS newest`)

const chunkMin = 8

/** Up to `limit` ids below `before` of pets with any of the tags, newest first: each tag is walked only as far as needed. */
export const findNewestTagged = (
  db: Connection,
  names: readonly string[],
  before: number,
  limit: number,
): Awaitable<number[]> =>
  andThen(undefined, db.all(tagIds, { wanted: JSON.stringify(names) }), (_, tags) => {
    const [first, ...others] = tags
    if (!first) return []
    return others.length === 0 ? newest(db, first.id, before, limit) : merge(db, tags, before, limit)
  })

const newest = (db: Connection, tagId: number, before: number, limit: number): Awaitable<number[]> =>
  andThen(undefined, db.one(newestOf, { tagId, before, limit }), (_, found) => found?.ids?.split(",").map(Number) ?? [])

async function merge(db: Connection, tags: readonly { id: number }[], before: number, limit: number) {
  const chunk = Math.max(chunkMin, Math.ceil(limit / tags.length))
  const walks = await Promise.all(tags.map(({ id }) => advance(db, { tagId: id, before, limit: chunk, ahead: [] })))

  const found: number[] = []
  while (found.length < limit) {
    const newest = Math.max(0, ...walks.map(({ ahead }) => ahead.at(-1) ?? 0))
    if (newest === 0) break
    found.push(newest)
    for (const walk of walks) {
      if (walk.ahead.at(-1) !== newest) continue
      walk.ahead.pop()
      if (walk.ahead.length === 0) await advance(db, walk)
    }
  }
  return found
}

/** The position of the walk along one tag; `ahead` holds the ids it has read, the newest last. */
type Walk = { tagId: number; before: number; limit: number; ahead: number[] }

async function advance(db: Connection, walk: Walk): Promise<Walk> {
  const { tagId, before, limit } = walk
  walk.ahead = (await newest(db, tagId, before, limit)).reverse()
  walk.before = walk.ahead[0] ?? 0
  return walk
}
