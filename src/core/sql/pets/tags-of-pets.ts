import type { Pet } from "../../domain/pets/contract.ts"
import { together } from "../../kernel/flow/together.ts"
import { integers, rowsOf, type SqlConnection, sql } from "../statement.ts"

type TagRow = { tagId: number; status: string; petId: number }

const rows = rowsOf<TagRow>({ tagId: "integers", status: "texts", petId: "integers" })

const add = sql<TagRow>`INSERT INTO pet_tags (tag_id, status, pet_id) ${rows}`

const remove = sql<{ tagIds: string; status: string; petId: number }>`
  DELETE FROM pet_tags
  WHERE tag_id IN (${integers("tagIds")}) AND status = ${"status"} AND pet_id = ${"petId"}`

/** Adds the tags of new pets. */
export const addTagsOf = (db: SqlConnection, pets: readonly Pet[]): Promise<void> =>
  addRows(
    db,
    pets.flatMap((pet) => toRows(pet, tagIdsOf(pet))),
  )

export const removeTagsOf = (db: SqlConnection, pet: Pet): Promise<void> => removeRows(db, pet, tagIdsOf(pet))

/** A tag's row contains the status, so a change of status replaces all of them. */
export async function moveTags(db: SqlConnection, before: Pet, after: Pet): Promise<void> {
  const [had, has] = [new Set(tagIdsOf(before)), new Set(tagIdsOf(after))]
  const isMoved = before.status !== after.status
  await together([
    () => removeRows(db, before, [...(isMoved ? had : had.difference(has))]),
    () => addRows(db, toRows(after, [...(isMoved ? has : has.difference(had))])),
  ])
}

const tagIdsOf = (pet: Pet): number[] => pet.tags.map(({ id }) => id)

const toRows = ({ id, status }: Pet, tagIds: readonly number[]): TagRow[] =>
  tagIds.map((tagId) => ({ tagId, status, petId: id }))

async function addRows(db: SqlConnection, rows: readonly TagRow[]): Promise<void> {
  if (rows.length > 0) await db.runEach(add, rows)
}

async function removeRows(db: SqlConnection, { id, status }: Pet, tagIds: readonly number[]): Promise<void> {
  if (tagIds.length > 0) await db.run(remove, { tagIds: JSON.stringify(tagIds), status, petId: id })
}
