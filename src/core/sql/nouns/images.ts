import { totalBytes } from "../../domain/images/contract.ts"
import type { ImageStore, StoredImage } from "../../domain/images/store.ts"
import { readOne } from "../rows.ts"
import { elements, rowsOf, type SqlConnection, sql } from "../statement.ts"

export type ImageRow = { sha256: string; blob: string; json: string }

const read = sql<{ sha256: string }, ImageRow>`SELECT sha256, blob, json FROM images WHERE sha256 = ${"sha256"}`

const after = sql<{ sha256: string; limit: number }, ImageRow>`
  SELECT sha256, blob, json FROM images WHERE sha256 > ${"sha256"} ORDER BY sha256 LIMIT ${"limit"}`

const afterKey = sql<{ blob: string; limit: number }, ImageRow>`
  SELECT sha256, blob, json FROM images WHERE blob > ${"blob"} ORDER BY blob LIMIT ${"limit"}`

const add = sql<ImageRow & { accountId: number; bytes: number }>`
  INSERT INTO images (sha256, blob, account_id, bytes, json)
  VALUES (${"sha256"}, ${"blob"}, ${"accountId"}, ${"bytes"}, ${"json"})
  ON CONFLICT (sha256) DO NOTHING`

/** Prevents the sweep from deleting the image while this transaction refers to it. */
const touch = sql<{ sha256: string }>`UPDATE images SET unreferenced_at = NULL WHERE sha256 = ${"sha256"}`

const bytesOf = sql<{ accountId: number }, { bytes: number }>`
  SELECT bytes FROM image_bytes WHERE account_id = ${"accountId"}`

const changeBytes = sql<{ accountId: number; change: number }>`
  INSERT INTO image_bytes (account_id, bytes) VALUES (${"accountId"}, ${"change"})
  ON CONFLICT (account_id) DO UPDATE SET bytes = image_bytes.bytes + excluded.bytes`

const ofPet = sql<{ petId: number }, ImageRow & { description: string | null }>`
  SELECT images.sha256 AS "sha256", blob AS "blob", json AS "json", description AS "description"
  FROM pet_images JOIN images ON images.sha256 = pet_images.sha256 WHERE pet_id = ${"petId"}`

const describe = sql<{ petId: number; sha256: string; description: string }>`
  UPDATE pet_images SET description = ${"description"} WHERE pet_id = ${"petId"} AND sha256 = ${"sha256"}`

export type ImageReference = { petId: number; sha256: string }

const references = rowsOf<ImageReference>({ petId: "integers", sha256: "texts" })

const refer = sql<ImageReference>`
  INSERT INTO pet_images (pet_id, sha256) ${references} ON CONFLICT (pet_id, sha256) DO NOTHING`

const release = sql<{ petId: number; kept: string }, { sha256: string }>`
  DELETE FROM pet_images WHERE pet_id = ${"petId"} AND sha256 NOT IN (${elements("kept")}) RETURNING sha256`

/** 0 makes the sweep check whether any pet refers to the image. */
const doubt = sql<{ sha256: string }>`UPDATE images SET unreferenced_at = 0 WHERE sha256 = ${"sha256"}`

const settle = sql<{ at: number; limit: number }>`
  UPDATE images
  SET unreferenced_at = CASE
    WHEN EXISTS (SELECT 1 FROM pet_images WHERE pet_images.sha256 = images.sha256) THEN NULL ELSE CAST(${"at"} AS BIGINT) END
  WHERE sha256 IN (SELECT sha256 FROM images WHERE unreferenced_at = 0 LIMIT ${"limit"})`

const forgetUnreferenced = sql<{ before: number; limit: number }, { blob: string; accountId: number; bytes: number }>`
  DELETE FROM images
  WHERE unreferenced_at BETWEEN 1 AND CAST(${"before"} AS BIGINT) - 1
    AND sha256 IN (
      SELECT sha256 FROM images AS candidates
      WHERE unreferenced_at BETWEEN 1 AND CAST(${"before"} AS BIGINT) - 1
        AND NOT EXISTS (SELECT 1 FROM pet_images WHERE pet_images.sha256 = candidates.sha256)
      LIMIT ${"limit"}
    )
  RETURNING blob, account_id AS "accountId", bytes`

const known = sql<{ blobs: string }, { blob: string }>`SELECT blob FROM images WHERE blob IN (${elements("blobs")})`

export const imageStore = (db: SqlConnection): ImageStore => ({
  read: async (sha256) => readOne(db, read, { sha256 }, toStoredImage),
  after: async (sha256, limit) => (await db.all(after, { sha256, limit })).map(toStoredImage),
  afterKey: async (blob, limit) => (await db.all(afterKey, { blob, limit })).map(toStoredImage),
  async add({ sha256, blob, ...image }, accountId) {
    if ((await db.run(touch, { sha256 })) > 0) return false
    const row = { sha256, blob, accountId, bytes: totalBytes(image.bytes), json: JSON.stringify(image) }
    if ((await db.run(add, row)) === 0) return this.add({ sha256, blob, ...image }, accountId)
    await db.run(changeBytes, { accountId, change: row.bytes })
    return true
  },
  bytesOf: async (accountId) => Number((await db.one(bytesOf, { accountId }))?.bytes ?? 0),
  ofPet: async (petId) =>
    (await db.all(ofPet, { petId })).map((row) => ({
      image: toStoredImage(row),
      description: row.description ?? undefined,
    })),
  describe: (petId, sha256, description) => db.exec(describe, { petId, sha256, description }),
  markUnreferenced: async (at, limit) => db.run(settle, { at, limit }),
  async forgetUnreferenced(before, limit) {
    const rows = await db.all(forgetUnreferenced, { before, limit })
    for (const { accountId, bytes } of rows) await db.run(changeBytes, { accountId, change: -bytes })
    return rows.map(({ blob }) => blob)
  },
  known: async (blobs) => new Set((await db.all(known, { blobs: JSON.stringify(blobs) })).map(({ blob }) => blob)),
})

/** Sets the images of a pet; those that remain keep their descriptions. */
export async function setImageReferences(db: SqlConnection, petId: number, images: ReadonlySet<string>): Promise<void> {
  const released = await db.all(release, { petId, kept: JSON.stringify([...images]) })
  for (const { sha256 } of released) await db.run(doubt, { sha256 })
  await addImageReferences(
    db,
    [...images].map((sha256) => ({ petId, sha256 })),
  )
}

export async function addImageReferences(db: SqlConnection, references: readonly ImageReference[]): Promise<void> {
  if (references.length === 0) return
  await db.runEach(refer, references)
  // In one order everywhere, to avoid deadlocks.
  for (const sha256 of [...new Set(references.map(({ sha256 }) => sha256))].sort()) await db.run(touch, { sha256 })
}

export function toStoredImage({ sha256, blob, json }: ImageRow): StoredImage {
  const described: Omit<StoredImage, "sha256" | "blob"> = JSON.parse(json)
  return { sha256, blob, ...described }
}
