import type { LabelKind } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { type Direction, inBothDirections } from "./direction.ts"
import { mergeWalks, type Walk } from "./merge-walks.ts"
import type { Find, Stretch } from "./pet-page.ts"
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

// The pets of one label in one statement, which is what most lists are.
const pageAlong = (name: string, label: string, pet: string) => {
  const [table, labelId, petId] = [word(name), word(label), word(pet)]
  return inBothDirections(({ behind, order, farthest }) =>
    hot(sql<StatusRow & { labelId: number; behind: number; limit: number }, Stretch<number>>`
      SELECT count AS "count", last AS "last", items AS "items", CASE WHEN EXISTS (
        SELECT 1 FROM ${table}
        WHERE ${labelId} = ${"labelId"} AND status IN (${"oneStatus"}, ${"otherStatus"}, ${"thirdStatus"})
        AND ${petId} ${behind} last
      ) THEN 1 ELSE 0 END AS "more"
      FROM (
        SELECT count(*) AS count, ${farthest}(id) AS last, '[' || string_agg(json, ',') || ']' AS items FROM (
          SELECT id, json FROM pets WHERE id IN (
            SELECT ${petId} AS id FROM ${table}
            WHERE ${labelId} = ${"labelId"} AND status = ${"oneStatus"} AND ${petId} ${behind} ${"behind"}
            UNION ALL
            SELECT ${petId} AS id FROM ${table}
            WHERE ${labelId} = ${"labelId"} AND status = ${"otherStatus"} AND ${petId} ${behind} ${"behind"}
            UNION ALL
            SELECT ${petId} AS id FROM ${table}
            WHERE ${labelId} = ${"labelId"} AND status = ${"thirdStatus"} AND ${petId} ${behind} ${"behind"}
            ORDER BY id ${order} LIMIT ${"limit"}
          )
          ORDER BY id ${order}
        ) AS found
      ) AS page`),
  )
}

const pages = {
  categories: pageAlong("pets", "category_id", "id"),
  tags: pageAlong("pet_tags", "tag_id", "pet_id"),
}

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
      const [first, ...others] = labels
      if (!first) return nothing
      if (others.length === 0) {
        const page = db.one(pages[kind][direction], { ...statuses, labelId: first.id, behind, limit })
        return page as Awaitable<Stretch<number>>
      }
      const walk: Walk = (labelId, place, most) =>
        andThen(
          undefined,
          db.one(walks[kind][direction], { ...statuses, labelId, behind: place, limit: most }),
          (_, row) => splitIds(row?.ids),
        )
      // One id more than asked for tells whether the list goes on.
      return mergeWalks(walk, labels, direction, behind, limit + 1).then((ids) => findTexts(db, ids, limit, direction))
    })

const nothing = { items: null, count: 0, last: null, more: 0 }
