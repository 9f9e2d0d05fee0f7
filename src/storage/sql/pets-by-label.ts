import type { LabelKind } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { type Direction, directions, inBothDirections } from "./direction.ts"
import type { Find } from "./pet-page.ts"
import { findTexts, splitIds } from "./pet-texts.ts"
import type { StatusRow } from "./pets-by-status.ts"
import { type Connection, elements, hot, sql, word } from "./statement.ts"

const labelIds = {
  categories: sql<{ wanted: string }, { id: number }>`
    SELECT id FROM categories WHERE name IN (${elements("wanted")})`,
  tags: sql<{ wanted: string }, { id: number }>`SELECT id FROM tags WHERE name IN (${elements("wanted")})`,
}

// As one text, because a hundred rows cost more than the walk.
const walkAlong = (name: string, label: string, pet: string) => {
  const [table, labelId, petId] = [word(name), word(label), word(pet)]
  return inBothDirections(({ behind, order }) =>
    hot(sql<StatusRow & { labelId: number; behind: number; limit: number }, { ids: string | null }>`
      SELECT string_agg(CAST(id AS TEXT), ',') AS "ids" FROM (
        SELECT ${petId} AS id FROM ${table}
        WHERE ${labelId} = ${"labelId"} AND status = ${"oneStatus"} AND ${petId} ${behind} ${"behind"}
        UNION ALL
        SELECT ${petId} AS id FROM ${table}
        WHERE ${labelId} = ${"labelId"} AND status = ${"otherStatus"} AND ${petId} ${behind} ${"behind"}
        UNION ALL
        SELECT ${petId} AS id FROM ${table}
        WHERE ${labelId} = ${"labelId"} AND status = ${"thirdStatus"} AND ${petId} ${behind} ${"behind"}
        ORDER BY id ${order} LIMIT ${"limit"}
      ) AS walked`),
  )
}

const walks = {
  categories: walkAlong("pets", "category_id", "id"),
  tags: walkAlong("pet_tags", "tag_id", "pet_id"),
}

const chunkMin = 8

/** Pets of these statuses with any of the labels, each once: each label is walked only as far as needed. */
export const findByLabel =
  (
    db: Connection,
    kind: LabelKind,
    names: readonly string[],
    statuses: StatusRow,
    direction: Direction,
  ): Find<number> =>
  (behind, limit) =>
    andThen(undefined, db.all(labelIds[kind], { wanted: JSON.stringify(names) }), (_, labels) => {
      const walk: Walk = (labelId, place, most) =>
        andThen(
          undefined,
          db.one(walks[kind][direction], { ...statuses, labelId, behind: place, limit: most }),
          (_, row) => splitIds(row?.ids),
        )
      // One id more than asked for tells whether the list goes on.
      const ids = findIds(walk, labels, direction, behind, limit + 1)
      return andThen(undefined, ids, (_, found) => findTexts(db, found, limit, direction))
    })

/** Up to `limit` ids behind `place` along one label. */
type Walk = (labelId: number, place: number, limit: number) => Awaitable<number[]>

function findIds(walk: Walk, labels: readonly { id: number }[], direction: Direction, behind: number, limit: number) {
  const [first, ...others] = labels
  if (!first) return []
  return others.length === 0 ? walk(first.id, behind, limit) : merge(walk, labels, direction, behind, limit)
}

async function merge(
  walk: Walk,
  labels: readonly { id: number }[],
  direction: Direction,
  behind: number,
  limit: number,
): Promise<number[]> {
  const chunk = Math.max(chunkMin, Math.ceil(limit / labels.length))
  const end = directions[direction === "ascending" ? "descending" : "ascending"].start
  const nearest = direction === "ascending" ? Math.min : Math.max
  const ways = await Promise.all(labels.map(({ id }) => advance(walk, { id, behind, limit: chunk, ahead: [] }, end)))

  const found: number[] = []
  while (found.length < limit) {
    const next = nearest(end, ...ways.map(({ ahead }) => ahead.at(-1) ?? end))
    if (next === end) break
    found.push(next)
    for (const way of ways) {
      if (way.ahead.at(-1) !== next) continue
      way.ahead.pop()
      if (way.ahead.length === 0) await advance(walk, way, end)
    }
  }
  return found
}

/** How far the walk along one label has come; `ahead` holds the ids it has read, the next one last. */
type Way = { id: number; behind: number; limit: number; ahead: number[] }

async function advance(walk: Walk, way: Way, end: number): Promise<Way> {
  way.ahead = (await walk(way.id, way.behind, way.limit)).reverse()
  way.behind = way.ahead[0] ?? end
  return way
}
