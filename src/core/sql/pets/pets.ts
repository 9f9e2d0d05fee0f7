import { hash } from "node:crypto"
import { imageHashIn } from "../../domain/images/contract.ts"
import type { Pet } from "../../domain/pets/contract.ts"
import type { LockedPet, PetStore, StoredPet } from "../../domain/pets/store.ts"
import { together } from "../../kernel/flow/together.ts"
import { fromJson, type Json, json } from "../../kernel/json/json.ts"
import { createIdSequence } from "../ids.ts"
import { addImageReferences, type ImageReference, setImageReferences } from "../nouns/images.ts"
import { forUpdate, hot, returningId, rowsOf, type SqlConnection, sql } from "../statement.ts"
import { changeInventory, countAdded, countChanged, countPets, countRemoved } from "./inventory.ts"
import { addLabels, forgetUnusedLabels } from "./labels.ts"
import { petLists } from "./lists.ts"
import { nameKey } from "./name-key.ts"
import { sentIdStore } from "./sent-ids.ts"
import { addTagsOf, moveTags, removeTagsOf } from "./tags-of-pets.ts"
import { petTimeStore, type TimesRow, toTimes } from "./times.ts"
import { petTotals } from "./totals.ts"

const read = hot(sql<{ id: number }, StoredPet>`
  SELECT json, etag FROM pets WHERE id = ${"id"}`)

const stretch = sql<{ after: number; limit: number }, StoredPet & { id: number }>`
  SELECT id, json, etag FROM pets WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

const lock = sql<{ id: number }, StoredPet & TimesRow>`
  SELECT json, etag, created_at AS "createdAt", updated_at AS "updatedAt" FROM pets WHERE id = ${"id"} ${forUpdate}`

const petRows = rowsOf<PetRow>({
  id: "integers",
  status: "texts",
  categoryId: "integers",
  nameKey: "texts",
  json: "texts",
  etag: "texts",
  at: "integers",
})

const add = sql<PetRow>`
  INSERT INTO pets (id, status, category_id, name_key, json, etag, created_at) ${petRows}
  ON CONFLICT (id) DO NOTHING ${returningId}`

const put = sql<PetRow>`
  UPDATE pets SET status = ${"status"}, category_id = ${"categoryId"}, name_key = ${"nameKey"},
         json = ${"json"}, etag = ${"etag"}, updated_at = coalesce(${"at"}, updated_at)
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM pets WHERE id = ${"id"}`

const { nextIds, continueAfter } = createIdSequence("pets")

type PetRow = {
  id: number
  status: string
  categoryId: number | null
  nameKey: string
  json: string
  etag: string
  at: number | undefined
}

export const petStore = (db: SqlConnection): PetStore => ({
  read: (id) => db.one(read, { id }),
  lock: (id) => lockPet(db, id),
  nextIds: (count) => nextIds(db, count),
  continueIdsAfter: (id) => continueAfter(db, id),
  categoryIds: (names) => addLabels(db, "categories", names),
  tagIds: (names) => addLabels(db, "tags", names),
  forgetUnusedLabels: (kind, after, limit) => forgetUnusedLabels(db, kind, after, limit),

  async add(pets, at, uncounted) {
    const rows = await addRows(
      db,
      pets.map((pet) => toRow(pet, at)),
    )
    const added = pets.filter((_, n) => rows[n] !== undefined)
    // Sent together, because none needs the result of another; the same below.
    await together([
      () => countAdded(db, added, uncounted),
      () => addTagsOf(db, added),
      () => addImageReferences(db, added.flatMap(imageReferencesOf)),
    ])
    return rows.map((row) => row && toStoredPet(row))
  },

  count: async (uncounted) => void (await changeInventory(db, uncounted)),

  async put(pet, before, at, uncounted) {
    const row = toRow(pet, at)
    db.noteText?.("pets", pet.id)
    await together([
      () => countChanged(db, before, pet, uncounted),
      () => db.run(put, row),
      () => moveTags(db, before, pet),
      () => setImageReferences(db, pet.id, imagesOf(pet)),
    ])
    return toStoredPet(row)
  },

  async remove(id, uncounted) {
    const before = (await lockPet(db, id))?.pet
    if (before === undefined) return
    await countRemoved(db, before, uncounted)
    db.noteText?.("pets", id)
    await removeTagsOf(db, before)
    await setImageReferences(db, id, new Set())
    await db.run(remove, { id })
  },

  async examine(after, limit) {
    const pets = await db.all(stretch, { after, limit })
    const damaged = pets.filter(({ json, etag }) => etagOf(String(json)) !== etag).map(({ id }) => id)
    return { damaged, last: pets.length === limit ? pets.at(-1)?.id : undefined }
  },

  inventory: () => countPets(db),
  ...petLists(db),
  ...petTimeStore(db),
  ...petTotals(db),
  ...sentIdStore(db),
})

/** Adds rows in the order of their ids, to avoid deadlocks; undefined for one whose id is taken, also by an earlier row. */
async function addRows(db: SqlConnection, rows: readonly PetRow[]): Promise<(PetRow | undefined)[]> {
  const first = new Map(rows.toReversed().map((row) => [row.id, row]))
  const added = new Set(
    await db.insertEach(
      add,
      [...first.values()].sort((a, b) => a.id - b.id),
    ),
  )
  return rows.map((row) => (added.has(row.id) && first.get(row.id) === row ? row : undefined))
}

async function lockPet(db: SqlConnection, id: number): Promise<LockedPet | undefined> {
  const row = await db.one(lock, { id })
  return row && { pet: fromJson(row.json), etag: row.etag, times: toTimes(row) }
}

function toRow(pet: Pet, at: number | undefined): PetRow {
  const text = json(pet)
  const { id, status, category, name } = pet
  return { id, status, categoryId: category?.id ?? null, nameKey: nameKey(name), json: text, etag: etagOf(text), at }
}

const etagOf = (text: string): string => `"${hash("sha256", text, "base64url").slice(0, 22)}"`

const toStoredPet = ({ json, etag }: PetRow): StoredPet => ({ json: json as Json<Pet>, etag })

const imagesOf = (pet: Pet): Set<string> =>
  new Set(pet.photoUrls.map(imageHashIn).filter((sha256) => sha256 !== undefined))

const imageReferencesOf = (pet: Pet): ImageReference[] =>
  [...imagesOf(pet)].map((sha256) => ({ petId: pet.id, sha256 }))
