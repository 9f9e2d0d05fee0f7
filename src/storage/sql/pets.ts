import { hash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { imageHashIn } from "../../domain/images/contract.ts"
import type { Pet, PetStatus } from "../../domain/pets/contract.ts"
import type { PetStore, StoredPet } from "../../domain/pets/store.ts"
import { andThen } from "../../kernel/awaitable.ts"
import { fromJson, type Json, json } from "../../kernel/json.ts"
import { type Page, type PageOf, pageLimitDefault } from "../../kernel/page.ts"
import { idMax } from "../../kernel/schema.ts"
import { createIdSequence } from "./ids.ts"
import { addImages, referToImages } from "./images.ts"
import { addLabels, forgetUnusedLabels } from "./labels.ts"
import { type Connection, elements, forUpdate, sql } from "./statement.ts"
import { findNewestTagged } from "./tagged.ts"

const read = sql<{ id: number }, StoredPet>`
  SELECT json, etag FROM pets WHERE id = ${"id"}`

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

// Takes the newest pets of each status and the newest of those, so that nothing below them is read.
const byStatus = sql<{ wanted: string; before: number; limit: number }, ListedRow>`
  SELECT id, json FROM pets
  WHERE id IN (
    SELECT newest.id FROM (${elements("wanted")}) AS wanted JOIN pets AS newest ON newest.id IN (
      SELECT id FROM pets WHERE status = wanted.value AND id < ${"before"} ORDER BY id DESC LIMIT ${"limit"}
    )
  )
  ORDER BY id DESC LIMIT ${"limit"}`

const these = sql<{ ids: string }, ListedRow>`
  SELECT id, json FROM pets WHERE id IN (${elements("ids")}) ORDER BY id DESC`

const nextId = createIdSequence("pets")

type PetRow = { id: number; status: string; categoryId: number | null; json: string; etag: string }
type ListedRow = { id: number; json: Json<Pet> }

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

  byStatus: (statuses, page) =>
    readPage(page, async (before, limit) => {
      const rows = await db.all(byStatus, { wanted: JSON.stringify(statuses), before, limit })
      return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.id }
    }),
  byTags: (names, page) =>
    readPage(page, async (before, limit) => {
      const ids = await findNewestTagged(db, names, before, limit)
      return {
        rows: await db.all(these, { ids: JSON.stringify(ids) }),
        next: ids.length < limit ? undefined : ids.at(-1),
      }
    }),
})

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

/** A page ends early once it holds this many characters of JSON, so that huge pets cannot make a huge response. */
const pageCharactersMax = 4 * 1024 * 1024
const rowsAtOnce = pageLimitDefault + 1

async function readPage(
  { before = idMax + 1, limit }: Page,
  find: (before: number, limit: number) => Promise<{ rows: ListedRow[]; next: number | undefined }>,
): Promise<PageOf<Json<Pet>>> {
  const items: Json<Pet>[] = []
  let characters = 0
  for (;;) {
    // One row more than the page takes tells whether there is a next page.
    const asked = Math.min(rowsAtOnce, limit - items.length + 1)
    const { rows, next } = await find(before, asked)
    for (const { id, json } of rows) {
      if (items.length === limit || characters >= pageCharactersMax) return { items, next: before }
      items.push(json)
      characters += json.length
      before = id
    }
    if (next === undefined) return { items, next: undefined }
    before = next
    // Yields to other requests while a long page is read.
    await setImmediate()
  }
}
