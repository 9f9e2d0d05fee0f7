import type { LabelKind } from "../../../domain/pets/store.ts"
import {
  elements,
  type Fragment,
  forKeyShare,
  forRemoval,
  fragment,
  type None,
  type SqlConnection,
  sql,
  word,
} from "../statement.ts"

// A transaction locks the names it finds until its commit, so that no other one deletes them before that.
const labelsIn = (kind: LabelKind, uses: Fragment<None>) => ({
  find: sql<{ names: string }, { id: number; name: string }>`
    SELECT id, name FROM ${word(kind)} WHERE name IN (${elements("names")}) ORDER BY name ${forKeyShare}`,
  add: sql<{ name: string }, { id: number }>`
    INSERT INTO ${word(kind)} (name) VALUES (${"name"}) ON CONFLICT (name) DO NOTHING RETURNING id`,
  next: sql<{ after: number; limit: number }, { id: number }>`
    SELECT id FROM ${word(kind)} WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"} ${forRemoval}`,
  remove: sql<{ id: number }, { name: string }>`
    DELETE FROM ${word(kind)} WHERE id = ${"id"} AND NOT EXISTS (${uses}) RETURNING name`,
})

const labels = {
  categories: labelsIn("categories", fragment`SELECT 1 FROM pets WHERE category_id = categories.id`),
  tags: labelsIn("tags", fragment`SELECT 1 FROM pet_tags WHERE tag_id = tags.id`),
}

/** The ids of these names, creating new ones, in one order everywhere to avoid deadlocks. */
export async function addLabels(db: SqlConnection, kind: LabelKind, names: readonly string[]) {
  const sorted = [...names].sort((a, b) => (a < b ? -1 : 1))
  const found = await findLabels(
    db,
    kind,
    sorted.filter((name) => db.labels?.find(kind, name) === undefined),
  )
  const ids = new Map<string, number>()
  for (const name of sorted)
    ids.set(name, db.labels?.find(kind, name) ?? found.get(name) ?? (await addLabel(db, kind, name)))
  return ids
}

async function findLabels(db: SqlConnection, kind: LabelKind, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db.all(labels[kind].find, { names: JSON.stringify(names) })
  for (const { name, id } of rows) db.labels?.remember(kind, name, id)
  return new Map(rows.map(({ name, id }) => [name, id]))
}

async function addLabel(db: SqlConnection, kind: LabelKind, name: string): Promise<number> {
  const added = await db.one(labels[kind].add, { name })
  // A concurrent transaction has added it.
  if (added === undefined) return (await findLabels(db, kind, [name])).get(name) as number
  db.labels?.remember(kind, name, added.id)
  return added.id
}

/** Locks the names first: later statements see the pets of every transaction that had locked one. */
export async function forgetUnusedLabels(db: SqlConnection, kind: LabelKind, after: number, limit: number) {
  const { next, remove } = labels[kind]
  const looked = await db.all(next, { after, limit })
  for (const { id } of looked) {
    const removed = await db.one(remove, { id })
    if (removed) db.labels?.forget(kind, removed.name)
  }
  return looked.length < limit ? undefined : looked.at(-1)?.id
}
