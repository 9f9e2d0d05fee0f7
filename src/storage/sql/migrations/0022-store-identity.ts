import { randomUUID } from "node:crypto"

/** A reset changes the identity of the store, not that of the database, to which images and backups belong. */
export const up = () => [
  `ALTER TABLE origin ADD COLUMN store_id TEXT`,
  `UPDATE origin SET store_id = '${randomUUID()}'`,
]
