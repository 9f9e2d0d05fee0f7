import type { LabelKind } from "../../domain/pets/store.ts"
import {
  elements,
  type Fragment,
  forKeyShare,
  forRemoval,
  fragment,
  type None,
  returningId,
  rowsOf,
  type SqlConnection,
  sql,
  word,
} from "../statement.ts"

type NameRow = { name: string }

const nameRows = rowsOf<NameRow>({ name: "texts" })

// A transaction locks the names it finds until its commit, so that no other one deletes them before that.
const labelsIn = (kind: LabelKind, uses: Fragment<None>) => ({
  find: sql<{ names: string }, { id: number; name: string }>`
    SELECT id, name FROM ${word(kind)} WHERE name IN (${elements("names")}) ORDER BY name ${forKeyShare}`,
  add: sql<NameRow>`INSERT INTO ${word(kind)} (name) ${nameRows} ON CONFLICT (name) DO NOTHING ${returningId}`,
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
  const ids = new Map<string, number>()
  const unknown: string[] = []
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    const id = db.labels?.find(kind, name)
    if (id === undefined) unknown.push(name)
    else ids.set(name, id)
  }
  await findLabels(db, kind, unknown, ids)
  const missing = unknown.filter((name) => !ids.has(name))
  if (missing.length === 0) return ids
  await db.insertEach(
    labels[kind].add,
    missing.map((name) => ({ name })),
  )
  // Those that a concurrent transaction has added are found too.
  await findLabels(db, kind, missing, ids)
  return ids
}

async function findLabels(db: SqlConnection, kind: LabelKind, names: readonly string[], ids: Map<string, number>) {
  if (names.length === 0) return
  for (const { name, id } of await db.all(labels[kind].find, { names: JSON.stringify(names) })) {
    db.labels?.remember(kind, name, id)
    ids.set(name, id)
  }
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
