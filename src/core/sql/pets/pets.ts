import { imageHashIn } from "../../domain/images/contract.ts"
import type { Pet, PetStatus } from "../../domain/pets/contract.ts"
import type { LockedPet, PetStore, StoredPet } from "../../domain/pets/store.ts"
import { DamagedRecord } from "../../domain/ports/store.ts"
import { andThen } from "../../kernel/flow/awaitable.ts"
import { together } from "../../kernel/flow/together.ts"
import { fromJson, type Json, json } from "../../kernel/json/json.ts"
import { etagOf, requireIntactPet } from "../hashes/hash-of.ts"
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

const lock = sql<{ id: number }, LockedRow>`
  SELECT json, etag, status, created_at AS "createdAt", updated_at AS "updatedAt" FROM pets
  WHERE id = ${"id"} ${forUpdate}`

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

type LockedRow = StoredPet & TimesRow & { status: PetStatus }

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
  read(id) {
    const found = db.one(read, { id })
    // A hash at each read would be over 4 % of the cost of a request.
    return db.damage.idsOf("pets").has(id) ? andThen(id, found, requireIntactOrNone) : found
  },
  lock: (id, which) => lockPet(db, id, which),
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
    const before = (await lockPet(db, id, "or-damaged"))?.pet
    if (before === undefined) return
    await countRemoved(db, before, uncounted)
    db.noteText?.("pets", id)
    await removeTagsOf(db, before)
    await setImageReferences(db, id, new Set())
    await db.run(remove, { id })
  },

  inventory: () => countPets(db),
  ...petLists(db),
  ...petTimeStore(db),
  ...petTotals(db),
  ...sentIdStore(db),
})

function requireIntactOrNone(id: number, pet: StoredPet | undefined): StoredPet | undefined {
  if (pet) requireIntactPet(pet, { id })
  return pet
}

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

async function lockPet(db: SqlConnection, id: number, which?: "or-damaged"): Promise<LockedPet | undefined> {
  const row = await db.one(lock, { id })
  if (row === undefined) return undefined
  if (which === undefined) requireIntactPet(row, { id })
  const pet = which === undefined ? fromJson(row.json) : readPet(id, row)
  return { pet, etag: row.etag, times: toTimes(row) }
}

/** The pet of a text that may be damaged, with what is also stored outside of that. */
function readPet(id: number, { json, status }: LockedRow): Pet {
  try {
    const pet = fromJson(json)
    if (Array.isArray(pet.tags)) return { ...pet, id, status }
  } catch {
    // It is not JSON any more.
  }
  throw new DamagedRecord("pets", id)
}

function toRow(pet: Pet, at: number | undefined): PetRow {
  const text = json(pet)
  const { id, status, category, name } = pet
  return { id, status, categoryId: category?.id ?? null, nameKey: nameKey(name), json: text, etag: etagOf(text), at }
}

const toStoredPet = ({ json, etag }: PetRow): StoredPet => ({ json: json as Json<Pet>, etag })

const imagesOf = (pet: Pet): Set<string> =>
  new Set(pet.photoUrls.map(imageHashIn).filter((sha256) => sha256 !== undefined))

const imageReferencesOf = (pet: Pet): ImageReference[] =>
  [...imagesOf(pet)].map((sha256) => ({ petId: pet.id, sha256 }))
