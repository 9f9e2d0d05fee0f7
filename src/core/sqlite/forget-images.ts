import { DatabaseSync } from "node:sqlite"

/** Deletes those of these images (SHA-256) that no pet refers to, like the sweep of a service; returns the others. */
export function forgetImages(file: string, images: readonly string[]): string[] {
  using db = new DatabaseSync(file)
  const forget = db.prepare(
    `DELETE FROM images WHERE sha256 = ? AND NOT EXISTS (SELECT 1 FROM pet_images WHERE pet_images.sha256 = images.sha256)
     RETURNING account_id AS accountId, bytes`,
  )
  const uncount = db.prepare("UPDATE image_bytes SET bytes = bytes - ? WHERE account_id = ?")
  db.exec("BEGIN")
  const needed = images.filter((sha256) => {
    const row = forget.get(sha256) as { accountId: number; bytes: number } | undefined
    if (row) uncount.run(row.bytes, row.accountId)
    return row === undefined
  })
  db.exec("COMMIT")
  return needed
}
