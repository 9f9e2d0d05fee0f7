import { hash } from "node:crypto"
import { imageHashIn } from "../../domain/images/contract.ts"
import type { Pet, PetStatus } from "../../domain/pets/contract.ts"
import type { PetStore, StoredPet } from "../../domain/pets/store.ts"
import { type Awaitable, andThen } from "../../kernel/awaitable.ts"
import { fromJson, type Json, json } from "../../kernel/json.ts"
import { createIdSequence } from "./ids.ts"
import { addImages, referToImages } from "./images.ts"
import { addLabels, forgetUnusedLabels } from "./labels.ts"
import { readPetPage, type Stretch } from "./pet-page.ts"
import { type Connection, elements, forUpdate, hot, sql } from "./statement.ts"
import { findNewestTagged } from "./tagged.ts"

const read = hot(sql<{ id: number }, StoredPet>`
  SELECT json, etag FROM pets WHERE id = ${"id"}`)

const lock = sql<{ id: number }, StoredPet>`
  SELECT json, etag FROM pets WHERE id = ${"id"} ${forUpdate}`

const add = sql<PetRow>`
  INSERT INTO pets (id, status, category_id, json, etag)
  VALUES (${"id"}, ${"status"}, ${"categoryId"}, ${"json"}, ${"etag"})
  ON CONFLICT (id) DO NOTHING`

const put = sql<PetRow>`
  UPDATE pets SET status = ${"status"}, category_id = ${"categoryId"}, json = ${"json"}, etag = ${"etag"}
  WHERE id = ${"id"}`

const remove = sql<{ id: number }>`DELETE FROM pets WHERE id = ${"id"}`

const statusOf = sql<{ id: number }, { status: string }>`
  SELECT status FROM pets WHERE id = ${"id"} ${forUpdate}`

const count = sql<{ status: string; change: number }>`
  UPDATE inventory SET pets = pets + ${"change"} WHERE status = ${"status"}`

// One statement for both, so that two transactions never wait for each other's half.
const recount = sql<{ from: string; to: string }>`
  UPDATE inventory SET pets = pets + CASE WHEN status = ${"to"} THEN 1 ELSE -1 END
  WHERE status IN (${"from"}, ${"to"})`

const inventory = sql<Record<never, never>, { status: PetStatus; pets: number }>`
  SELECT status, pets FROM inventory ORDER BY status`

const untag = sql<{ id: number }>`DELETE FROM pet_tags WHERE pet_id = ${"id"}`

const tag = sql<{ tagIds: string; petId: number }>`
  INSERT INTO pet_tags (tag_id, pet_id) SELECT CAST(value AS BIGINT), ${"petId"} FROM (${elements("tagIds")}) AS given`

// Walks along each status only as far as the page goes, and joins the texts in the database: a hundred rows cost more than
// their one text. string_agg takes them in the order of the subquery (SQLite keeps it, as PostgreSQL does).
const byStatus = hot(sql<StatusRow & { before: number; limit: number }, Stretch>`
  SELECT count AS "count", last AS "last", items AS "items", CASE WHEN EXISTS (
    SELECT 1 FROM pets WHERE status IN (${"oneStatus"}, ${"otherStatus"}, ${"thirdStatus"}) AND id < last
  ) THEN 1 ELSE 0 END AS "more"
  FROM (
    SELECT count(*) AS count, min(id) AS last, '[' || string_agg(json, ',') || ']' AS items FROM (
      SELECT id, json FROM pets WHERE status = ${"oneStatus"} AND id < ${"before"}
      UNION ALL
      SELECT id, json FROM pets WHERE status = ${"otherStatus"} AND id < ${"before"}
      UNION ALL
      SELECT id, json FROM pets WHERE status = ${"thirdStatus"} AND id < ${"before"}
      ORDER BY id DESC LIMIT ${"limit"}
    ) AS newest
  ) AS page`)

const these = hot(sql<{ ids: string }, Omit<Stretch, "more">>`
  SELECT count(*) AS "count", min(id) AS "last", '[' || string_agg(json, ',') || ']' AS "items" FROM (
    SELECT id, json FROM pets WHERE id IN (${elements("ids")}) ORDER BY id DESC
  ) AS page`)

const nextId = createIdSequence("pets")

type PetRow = { id: number; status: string; categoryId: number | null; json: string; etag: string }
type StatusRow = { oneStatus: PetStatus | null; otherStatus: PetStatus | null; thirdStatus: PetStatus | null }

export const petStore = (db: Connection): PetStore => ({
  read: (id) => db.one(read, { id }),
  async lock(id) {
    const row = await db.one(lock, { id })
    return row && { pet: fromJson(row.json), etag: row.etag }
  },

  nextId: () => nextId(db),
  categoryIds: (names) => addLabels(db, "categories", names),
  tagIds: (names) => addLabels(db, "tags", names),
  forgetUnusedLabels: (kind, after, limit) => forgetUnusedLabels(db, kind, after, limit),

  async add(pet) {
    const row = toRow(pet)
    if ((await db.run(add, row)) === 0) return undefined
    await db.run(count, { status: pet.status, change: 1 })
    await addTags(db, pet)
    await addImages(db, pet.id, imagesOf(pet))
    return toStoredPet(row)
  },

  async put(pet) {
    const row = toRow(pet)
    const { status } = (await db.one(statusOf, { id: pet.id })) as { status: string }
    if (status !== pet.status) await db.run(recount, { from: status, to: pet.status })
    await db.run(put, row)
    await db.run(untag, { id: pet.id })
    await addTags(db, pet)
    await referToImages(db, pet.id, imagesOf(pet))
    return toStoredPet(row)
  },

  async remove(id) {
    const row = await db.one(statusOf, { id })
    if (row) await db.run(count, { status: row.status, change: -1 })
    await db.run(untag, { id })
    await referToImages(db, id, new Set())
    await db.run(remove, { id })
  },

  inventory: () =>
    andThen(
      undefined,
      db.all(inventory, {}),
      (_, rows) => Object.fromEntries(rows.map(({ status, pets }) => [status, pets])) as Record<PetStatus, number>,
    ),

  byStatus(statuses, page) {
    const [oneStatus = null, otherStatus = null, thirdStatus = null] = new Set(statuses)
    const wanted = { oneStatus, otherStatus, thirdStatus }
    return readPetPage(page, (before, limit) => db.one(byStatus, { ...wanted, before, limit }) as Awaitable<Stretch>)
  },
  byTags: (names, page) => readPetPage(page, (before, limit) => findTagged(db, names, before, limit)),
})

/** One id more than asked for tells whether the list goes on. */
const findTagged = (db: Connection, names: readonly string[], before: number, limit: number): Awaitable<Stretch> =>
  andThen(undefined, findNewestTagged(db, names, before, limit + 1), (_, ids) =>
    andThen(ids.length > limit ? 1 : 0, db.one(these, { ids: JSON.stringify(ids.slice(0, limit)) }), (more, found) => ({
      ...(found as Omit<Stretch, "more">),
      more,
    })),
  )

function toRow(pet: Pet): PetRow {
  const text = json(pet)
  const etag = `"${hash("sha256", text, "base64url").slice(0, 22)}"`
  return { id: pet.id, status: pet.status, categoryId: pet.category?.id ?? null, json: text, etag }
}

const toStoredPet = ({ json, etag }: PetRow): StoredPet => ({ json: json as Json<Pet>, etag })

const imagesOf = (pet: Pet): Set<string> =>
  new Set(pet.photoUrls.map(imageHashIn).filter((sha256) => sha256 !== undefined))

async function addTags(db: Connection, pet: Pet): Promise<void> {
  if (pet.tags.length > 0) await db.run(tag, { tagIds: JSON.stringify(pet.tags.map(({ id }) => id)), petId: pet.id })
}
