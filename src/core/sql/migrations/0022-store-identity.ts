import { randomUUID } from "node:crypto"

/**
 * A reset changes the identity of the store, not of the database, to which images and backups belong. `public_url` is the base
 * of the photo URLs of the sample pets; NULL while they are relative.
 */
export const up = () => [
  `ALTER TABLE origin ADD COLUMN store_id TEXT`,
  `ALTER TABLE origin ADD COLUMN public_url TEXT`,
  `UPDATE origin SET store_id = '${randomUUID()}'`,
]
