import { type Connection, elements, sql } from "./statement.ts"

const tagIds = sql<{ wanted: string }, { id: number }>`SELECT id FROM tags WHERE name IN (${elements("wanted")})`

const newestOf = sql<{ tagId: number; before: number; limit: number }, { id: number }>`
  SELECT pet_id AS "id" FROM pet_tags WHERE tag_id = ${"tagId"} AND pet_id < ${"before"}
  ORDER BY pet_id DESC LIMIT ${"limit"}`

const chunkMin = 8

/** Up to `limit` ids below `before` of pets with any of the tags, newest first: each tag is walked only as far as needed. */
export async function findNewestTagged(
  db: Connection,
  names: readonly string[],
  before: number,
  limit: number,
): Promise<number[]> {
  const tags = await db.all(tagIds, { wanted: JSON.stringify(names) })
  const chunk = Math.max(chunkMin, Math.ceil(limit / Math.max(1, tags.length)))
  const walks = await Promise.all(tags.map(({ id }) => advanceWalk(db, { tagId: id, before, limit: chunk, ahead: [] })))

  const found: number[] = []
  while (found.length < limit) {
    const newest = Math.max(0, ...walks.map(({ ahead }) => ahead.at(-1) ?? 0))
    if (newest === 0) break
    found.push(newest)
    for (const walk of walks) {
      if (walk.ahead.at(-1) !== newest) continue
      walk.ahead.pop()
      if (walk.ahead.length === 0) await advanceWalk(db, walk)
    }
  }
  return found
}

/** Where the walk along one tag has got to; `ahead` are the ids it has read, the newest at the end. */
type Walk = { tagId: number; before: number; limit: number; ahead: number[] }

async function advanceWalk(db: Connection, walk: Walk): Promise<Walk> {
  const { tagId, before, limit } = walk
  walk.ahead = (await db.all(newestOf, { tagId, before, limit })).map(({ id }) => id).reverse()
  walk.before = walk.ahead[0] ?? 0
  return walk
}
