import { type None, sql } from "./statement.ts"

/** Releases what ended processes held; only for a database with one process at a time. */
export const releaseEverything = [
  sql<None>`
    UPDATE webhooks SET due_at = 0
    WHERE deleted_at IS NULL AND id IN (SELECT webhook_id FROM deliveries WHERE claimed_at IS NOT NULL)`,
  sql<None>`
    UPDATE deliveries SET due_at = claimed_at, claimed_at = NULL WHERE claimed_at IS NOT NULL`,
  sql<None>`DELETE FROM leases`,
  sql<None>`DELETE FROM replicas`,
]
