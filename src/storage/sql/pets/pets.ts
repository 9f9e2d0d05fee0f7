import { hash, randomInt } from "node:crypto"
import { imageHashIn } from "../../../domain/images/contract.ts"
import { type Pet, PetStatus } from "../../../domain/pets/contract.ts"
import type { LockedPet, PetStore, StatusCounts, StoredPet } from "../../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../../kernel/flow/awaitable.ts"
import { together } from "../../../kernel/flow/together.ts"
import { fromJson, type Json, json } from "../../../kernel/json/json.ts"
import { createIdSequence } from "../ids.ts"
import { addImageReferences, setImageReferences } from "../nouns/images.ts"
import { forUpdate, fragment, hot, inDialect, integers, type None, type SqlConnection, sql } from "../statement.ts"
import { addLabels, forgetUnusedLabels } from "./labels.ts"
import { petLists } from "./lists.ts"
import { nameKey } from "./name-key.ts"
import { sentIdStore } from "./sent-ids.ts"
import { petTimeStore, type TimesRow, toTimes } from "./times.ts"
import { petTotals } from "./totals.ts"

const read = hot(sql<{ id: number }, StoredPet>`
  SELECT json, etag FROM pets WHERE id = ${"id"}`)

const stretch = sql<{ after: number; limit: number }, StoredPet & { id: number }>`
  SELECT id, json, etag FROM pets WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"}`

const lock = sql<{ id: number }, StoredPet & TimesRow>`
  SELECT json, etag, created_at AS "createdAt", updated_at AS "updatedAt" FROM pets WHERE id = ${"id"} ${forUpdate}`

const add = sql<PetRow>`
  INSERT INTO pets (id, status, category_id, name_key, json, etag, created_at)
  VALUES (${"id"}, ${"status"}, ${"categoryId"}, ${"nameKey"}, ${"json"}, ${"etag"}, ${"at"})
  ON CONFLICT (id) DO NOTHING`

const put = sql<PetRow>`
  UPDATE pets SET status = ${"status"}, category_id = ${"categoryId"}, name_key = ${"nameKey"},
         json = ${"json"}, etag = ${"etag"}, updated_at = coalesce(${"at"}, updated_at)
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM pets WHERE id = ${"id"}`

// The first pet of a status adds its row, so that a new status needs no migration.
const adding = inDialect<None>({
  sqlite: fragment`ON CONFLICT (status) DO UPDATE SET pets = pets + excluded.pets`,
  postgres: fragment`ON CONFLICT (status, slot) DO UPDATE SET pets = inventory.pets + excluded.pets`,
})

const count = sql<{ status: string; change: number; slot: number }>`
  INSERT INTO inventory (status, slot, pets) VALUES (${"status"}, ${"slot"}, ${"change"}) ${adding}`

// One statement for both, ordered by name, to avoid deadlocks.
const recount = sql<{ status: string; change: number; otherStatus: string; otherChange: number; slot: number }>`
  INSERT INTO inventory (status, slot, pets)
  VALUES (${"status"}, ${"slot"}, ${"change"}), (${"otherStatus"}, ${"slot"}, ${"otherChange"}) ${adding}`

const inventory = sql<None, { status: string; pets: number }>`
  SELECT status, sum(pets) AS "pets" FROM inventory GROUP BY status`

const untag = sql<{ tagIds: string; status: string; petId: number }>`
  DELETE FROM pet_tags
  WHERE tag_id IN (${integers("tagIds")}) AND status = ${"status"} AND pet_id = ${"petId"}`

const tag = sql<{ tagIds: string; status: string; petId: number }>`
  INSERT INTO pet_tags (tag_id, status, pet_id)
  SELECT value, ${"status"}, ${"petId"} FROM (${integers("tagIds")}) AS given`

const nextId = createIdSequence("pets")

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

  nextId: () => nextId(db),
  categoryIds: (names) => addLabels(db, "categories", names),
  tagIds: (names) => addLabels(db, "tags", names),
  forgetUnusedLabels: (kind, after, limit) => forgetUnusedLabels(db, kind, after, limit),

  async add(pet, at, uncounted) {
    const row = toRow(pet, at)
    if ((await db.run(add, row)) === 0) return undefined
    // Sent together, because sending takes time on PostgreSQL.
    await Promise.all([countPet(db, pet.status, 1, uncounted), changeTags(db, tag, pet, tagIdsOf(pet))])
    await addImageReferences(db, pet.id, imagesOf(pet))
    return toStoredPet(row)
  },

  async count(uncounted) {
    for (const [status, change] of [...uncounted].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (change !== 0) await db.run(count, { status, change, slot: anySlot(db) })
  },

  async put(pet, before, at, uncounted) {
    const row = toRow(pet, at)
    // Sent together, because none needs the result of another.
    await together([
      () => before.status !== pet.status && moveInInventory(db, before.status, pet.status, uncounted),
      () => db.run(put, row),
      () => moveTags(db, before, pet),
      () => setImageReferences(db, pet.id, imagesOf(pet)),
    ])
    return toStoredPet(row)
  },

  async remove(id, uncounted) {
    const before = (await lockPet(db, id))?.pet
    if (before === undefined) return
    await countPet(db, before.status, -1, uncounted)
    await changeTags(db, untag, before, tagIdsOf(before))
    await setImageReferences(db, id, new Set())
    await db.run(remove, { id })
  },

  async examine(after, limit) {
    const pets = await db.all(stretch, { after, limit })
    const damaged = pets.filter(({ json, etag }) => etagOf(String(json)) !== etag).map(({ id }) => id)
    return { damaged, last: pets.length === limit ? pets.at(-1)?.id : undefined }
  },

  inventory: () => readInventory(db),

  ...petLists(db),
  ...petTimeStore(db),
  ...petTotals(db, () => readInventory(db)),
  ...sentIdStore(db),
})

const readInventory = (db: SqlConnection): Awaitable<Record<PetStatus, number>> =>
  andThen(undefined, db.all(inventory, {}), (_, rows) => {
    const found = new Map(rows.map(({ status, pets }) => [status, pets]))
    const counts = PetStatus.enum.map((status) => [status, found.get(status) ?? 0])
    return Object.fromEntries(counts) as Record<PetStatus, number>
  })

/** Counts a pet, or notes that it is to be counted. */
const countPet = (db: SqlConnection, status: PetStatus, change: 1 | -1, uncounted: StatusCounts | undefined) =>
  uncounted ? note(uncounted, status, change) : db.run(count, { status, change, slot: anySlot(db) })

const note = (uncounted: StatusCounts, status: PetStatus, change: 1 | -1): void =>
  void uncounted.set(status, (uncounted.get(status) ?? 0) + change)

function moveInInventory(db: SqlConnection, from: PetStatus, to: PetStatus, uncounted: StatusCounts | undefined) {
  if (uncounted) {
    note(uncounted, from, -1)
    return note(uncounted, to, 1)
  }
  const [status, otherStatus] = from < to ? [from, to] : [to, from]
  const change = status === to ? 1 : -1
  return db.run(recount, { status, change, otherStatus, otherChange: -change, slot: anySlot(db) })
}

async function lockPet(db: SqlConnection, id: number): Promise<LockedPet | undefined> {
  const row = await db.one(lock, { id })
  return row && { pet: fromJson(row.json), etag: row.etag, times: toTimes(row) }
}

const anySlot = (db: SqlConnection): number => randomInt(db.slots)

function toRow(pet: Pet, at: number | undefined): PetRow {
  const text = json(pet)
  const { id, status, category, name } = pet
  return { id, status, categoryId: category?.id ?? null, nameKey: nameKey(name), json: text, etag: etagOf(text), at }
}

const etagOf = (text: string): string => `"${hash("sha256", text, "base64url").slice(0, 22)}"`

const toStoredPet = ({ json, etag }: PetRow): StoredPet => ({ json: json as Json<Pet>, etag })

const imagesOf = (pet: Pet): Set<string> =>
  new Set(pet.photoUrls.map(imageHashIn).filter((sha256) => sha256 !== undefined))

const tagIdsOf = (pet: Pet): number[] => pet.tags.map(({ id }) => id)

/** A tag's row contains the status, so a change of status replaces all of them. */
async function moveTags(db: SqlConnection, before: Pet, after: Pet): Promise<void> {
  const [had, has] = [new Set(tagIdsOf(before)), new Set(tagIdsOf(after))]
  const isMoved = before.status !== after.status
  await together([
    () => changeTags(db, untag, before, [...(isMoved ? had : had.difference(has))]),
    () => changeTags(db, tag, after, [...(isMoved ? has : has.difference(had))]),
  ])
}

async function changeTags(db: SqlConnection, change: typeof tag, { id, status }: Pet, tagIds: number[]): Promise<void> {
  if (tagIds.length > 0) await db.run(change, { tagIds: JSON.stringify(tagIds), status, petId: id })
}
